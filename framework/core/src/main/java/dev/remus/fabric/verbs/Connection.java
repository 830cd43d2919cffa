// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import dev.remus.fabric.LocalBuffer;
import dev.remus.logging.Loggers;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A Compute Node's end of a connection, with an event channel of its own, so that every event there concerns it. Not
 * thread-safe: its link or lane serialises all calls.
 */
final class Connection {
    private static final Logger LOG = Loggers.of(Connection.class);
    private static final int WAIT_MILLIS = 5;

    /** The names of events in {@code enum rdma_cm_event_type}, by number. */
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

    /** The time that an attempt may take. */
    interface TimeLimit {
        /** Returns how many milliseconds are left, at least 1. */
        int millisLeft();

        /**
         * Checks whether to go on; to be called repeatedly while waiting.
         *
         * @throws IOException once the time is up
         * @throws RuntimeException if the connection is no longer needed
         */
        void check() throws IOException;
    }

    /** Nothing listens at the address, or the listener has no resources for the connection now. */
    static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        RefusedException(String message) {
            super(message);
        }
    }

    private final RdmaEventChannel channel;
    private final ByteBuffer event = Verbs.newEvent();
    private @Nullable RdmaCmId id;
    private @Nullable QueuePair pair;
    private boolean ended;
    private boolean closed;

    private Connection() throws IOException {
        this.channel = Verbs.createChannel();
    }

    /**
     * Opens a connection.
     *
     * @param options how its packets are sent
     * @param from an address of the device that the domain belongs to
     * @param depth how many requests may be outstanding
     * @throws IOException if the connection cannot be opened now
     */
    static Connection open(
            ProtectionDomain domain,
            PathOptions options,
            InetAddress from,
            InetAddress to,
            int port,
            int depth,
            TimeLimit limit)
            throws IOException {
        Connection connection = new Connection();
        try {
            connection.connect(domain, options, from, to, port, depth, limit);
            return connection;
        } catch (IOException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private void connect(
            ProtectionDomain domain,
            PathOptions options,
            InetAddress from,
            InetAddress to,
            int port,
            int depth,
            TimeLimit limit)
            throws IOException {
        RdmaCmId id = Verbs.createId(channel);
        this.id = id;
        Verbs.bind(id, from, 0);
        Verbs.resolveAddress(id, to, port, limit.millisLeft());
        await(Verbs.ADDRESS_RESOLVED, limit);
        options.setTrafficClass(id);
        Verbs.resolveRoute(id, limit.millisLeft());
        await(Verbs.ROUTE_RESOLVED, limit);
        if (!domain.isOf(Verbs.context(id))) {
            throw new IOException("the route to " + to.getHostAddress() + " does not leave through the RDMA device of "
                    + from.getHostAddress());
        }
        pair = new QueuePair(id, domain, depth);
        options.connect(id);
        await(Verbs.ESTABLISHED, limit);
    }

    private void await(int wanted, TimeLimit limit) throws IOException {
        while (true) {
            int type = Verbs.event(channel, event, WAIT_MILLIS);
            if (type == wanted) {
                return;
            }
            if (type == Verbs.REJECTED) {
                throw new RefusedException("the connection manager reports " + EVENTS[type]);
            }
            if (type != Verbs.NO_EVENT) {
                throw new IOException("the connection manager reports " + EVENTS[type]);
            }
            limit.check();
        }
    }

    /** Sends the message in the page and waits for the answer, which arrives in the page too. */
    void exchange(int length, TimeLimit limit) throws IOException {
        QueuePair pair = pair();
        pair.send(length);
        while (!pair.hasReceived() || !pair.hasSent()) {
            limit.check();
            if (pair.hasFailed() || hasEnded()) {
                throw new IOException(
                        "the connection ended before the Memory Node had answered, as with a Memory Node of 0.1.0");
            }
            pair.poll();
            if (!pair.hasReceived()) {
                ended |= isEnd(Verbs.event(channel, event, 1));
            }
        }
    }

    /** Returns the queue pair, which every open connection has. */
    QueuePair pair() {
        assert pair != null : "not connected";
        return pair;
    }

    LocalBuffer page() {
        return pair().page();
    }

    /** Whether the other end has closed it, or the device is gone. Never waits. */
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
            ended = true; // no more events can be read
        }
        return true;
    }

    private static boolean isEnd(int type) {
        if (type == Verbs.DEVICE_REMOVED || type == Verbs.ADDRESS_CHANGED) {
            LOG.warn("the connection manager reports {} of this node's RDMA device", EVENTS[type]);
        }
        return type == Verbs.DISCONNECTED || type == Verbs.DEVICE_REMOVED;
    }

    /** Disconnects: all outstanding requests fail, and the other end is notified. */
    void disconnect() {
        if (id != null) {
            Verbs.disconnect(id);
        }
    }

    /** Disconnects and frees its resources. */
    void close() {
        if (closed) {
            return;
        }
        closed = true;
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
