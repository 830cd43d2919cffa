package dev.remus.fabric.verbs;

import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import dev.remus.fabric.LocalBuffer;
import java.io.IOException;
import java.net.Inet4Address;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A Compute Node's end of a connection, with an event channel of its own, so that whatever comes there concerns it. Not
 * thread safe: its link or lane sees to that.
 */
final class Connection {
    private static final int WAIT_MILLIS = 5;

    /** What {@code enum rdma_cm_event_type} calls the events, by number. */
    private static final String[] EVENTS = {
        "ADDR_RESOLVED",
        "ADDR_ERROR",
        "ROUTE_RESOLVED",
        "ROUTE_ERROR",
        "CONNECT_REQUEST",
        "CONNECT_RESPONSE",
        "CONNECT_ERROR",
        "UNREACHABLE",
        "REJECTED",
        "ESTABLISHED",
        "DISCONNECTED",
        "DEVICE_REMOVAL",
        "MULTICAST_JOIN",
        "MULTICAST_ERROR",
        "ADDR_CHANGE",
        "TIMEWAIT_EXIT"
    };

    /** How long an attempt may take, and who may end it. */
    interface Patience {
        /** How many milliseconds are left, at least 1. */
        int millisLeft();

        /**
         * To be called again and again while waiting.
         *
         * @throws IOException once the time is over
         * @throws RuntimeException if the connection is not needed any more
         */
        void check() throws IOException;
    }

    private final RdmaEventChannel channel;
    private final ByteBuffer event = Verbs.newEvent();
    private @Nullable RdmaCmId id;
    private @Nullable QueuePair pair;
    private boolean ended;

    private Connection() throws IOException {
        this.channel = Verbs.createChannel();
    }

    /**
     * Connects.
     *
     * @param from an address of the device that the domain belongs to
     * @param depth how many requests may be outstanding
     * @throws IOException if that was not possible now
     */
    static Connection open(
            ProtectionDomain domain, Inet4Address from, Inet4Address to, int port, int depth, Patience patience)
            throws IOException {
        Connection connection = new Connection();
        try {
            connection.connect(domain, from, to, port, depth, patience);
            return connection;
        } catch (IOException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private void connect(
            ProtectionDomain domain, Inet4Address from, Inet4Address to, int port, int depth, Patience patience)
            throws IOException {
        RdmaCmId id = Verbs.createId(channel);
        this.id = id;
        Verbs.bind(id, from, 0);
        Verbs.resolveAddress(id, to, port, patience.millisLeft());
        await(Verbs.ADDRESS_RESOLVED, patience);
        Verbs.resolveRoute(id, patience.millisLeft());
        await(Verbs.ROUTE_RESOLVED, patience);
        if (!domain.isOf(Verbs.context(id))) {
            throw new IOException("the way to " + to.getHostAddress() + " starts at another device than that of "
                    + from.getHostAddress());
        }
        pair = new QueuePair(id, domain, depth);
        Verbs.connect(id);
        await(Verbs.ESTABLISHED, patience);
    }

    private void await(int wanted, Patience patience) throws IOException {
        while (true) {
            int type = Verbs.event(channel, event, WAIT_MILLIS);
            if (type == wanted) {
                return;
            }
            if (type != Verbs.NO_EVENT) {
                throw new IOException("the connection manager answers " + EVENTS[type]);
            }
            patience.check();
        }
    }

    /** Sends a message that has been written to the page, and waits for the answer, which is then in the page. */
    void exchange(int length, Patience patience) throws IOException {
        QueuePair pair = pair();
        pair.send(length);
        while (!pair.hasReceived() || !pair.hasSent()) {
            patience.check();
            if (pair.hasFailed() || hasEnded()) {
                throw new IOException("the connection was ended before it was welcome");
            }
            pair.poll();
            if (!pair.hasReceived()) {
                ended |= isEnd(Verbs.event(channel, event, 1));
            }
        }
    }

    /** There is one in a connection that was opened. */
    QueuePair pair() {
        assert pair != null : "not connected";
        return pair;
    }

    LocalBuffer page() {
        return pair().page();
    }

    /** Whether the other end has ended it, or the device is gone. Never waits. */
    boolean hasEnded() {
        try {
            while (!ended) {
                int type = Verbs.event(channel, event, 0);
                if (type == Verbs.NO_EVENT) {
                    return false;
                }
                ended = isEnd(type);
            }
        } catch (IOException e) {
            ended = true; // nothing more will be heard of it
        }
        return true;
    }

    private static boolean isEnd(int type) {
        return type == Verbs.DISCONNECTED || type == Verbs.DEVICE_REMOVED;
    }

    /** Lets all that is outstanding fail, and the other end know. */
    void disconnect() {
        if (id != null) {
            Verbs.disconnect(id);
        }
    }

    /** Disconnects and frees what it holds. To be called once. */
    void close() {
        if (pair != null) {
            disconnect();
            pair.close();
        }
        if (id != null) {
            Verbs.destroy(id);
        }
        Verbs.destroy(channel);
    }
}
