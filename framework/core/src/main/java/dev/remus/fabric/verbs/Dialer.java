// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.ClusterSecret;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.InterruptedWaitException;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.Version;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Connects a Compute Node to Memory Nodes. Any thread may use it. */
final class Dialer {
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** The least time for one attempt, however little time is left. */
    private static final long SHORTEST_ATTEMPT_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** A connection that the Memory Node at this address has answered. */
    record Dialled(Connection connection, Handshake.Welcome welcome, InetAddress address) {}

    private final ClusterConfig config;
    private final int node;
    private final long run;
    private final Reservation own;
    private final Runnable checkOpen;
    private final Version version;
    private final Optional<ClusterSecret> secret;
    private final DeviceChoice choice;
    private final AtomicInteger numbers = new AtomicInteger();

    /**
     * @param version what this node runs
     * @param checkOpen throws an {@link IllegalStateException} if the Compute Node is closed
     */
    Dialer(ClusterConfig config, int node, long run, Reservation own, Version version, Runnable checkOpen) {
        this.config = config;
        this.node = node;
        this.run = run;
        this.own = own;
        this.version = version;
        this.secret = ClusterSecret.of(config);
        this.choice = DeviceChoice.of(config);
        this.checkOpen = checkOpen;
    }

    /** A number for a new lane or link, which no other one of this run has. */
    int newNumber() {
        return numbers.getAndIncrement();
    }

    /** How long a Memory Node may be unreachable. */
    Duration lossTimeout() {
        return config.lossTimeout();
    }

    /** What the Compute Node runs. */
    Version version() {
        return version;
    }

    /** The Compute Node that it connects. */
    int node() {
        return node;
    }

    /** The protection domain of the Compute Node's device. */
    ProtectionDomain domain() {
        return own.domain();
    }

    /**
     * Connects to a Memory Node.
     *
     * @param lane the number of the lane that it is for, or a {@link Handshake.Hello#control}
     * @param caller names the connecting party in a message
     * @throws NodeLostException if the Memory Node could not be reached in time
     */
    Dialled dial(int memoryNode, int lane, long deadline, String caller) {
        Place place = Place.ofMemoryNode(config, memoryNode);
        List<InetAddress> addresses = place.addressesFor(own.address());
        long pause = FIRST_PAUSE_NANOS;
        for (int attempt = 0; ; attempt++) {
            InetAddress address = addresses.get(attempt % addresses.size());
            Handshake.Answer answer = Handshake.Answer.NOT_HERE;
            String reason = "another node uses this address";
            try {
                long begin = System.nanoTime();
                long end = deadline - begin > SHORTEST_ATTEMPT_NANOS ? deadline : begin + SHORTEST_ATTEMPT_NANOS;
                Dialled dialled = attempt(address, memoryNode, lane, end, checkOpen, Connection::close);
                answer = dialled.welcome.answer();
                if (answer == Handshake.Answer.WELCOME) {
                    return dialled;
                }
                dialled.connection.close();
            } catch (IOException e) {
                reason = String.valueOf(e.getMessage());
            }
            long left = deadline - System.nanoTime();
            if (left < 0) {
                throw notThere(memoryNode, place, answer, caller, reason);
            }
            checkOpen.run();
            checkUninterrupted(memoryNode);
            LockSupport.parkNanos(Math.min(pause, left));
            pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
        }
    }

    private FabricException notThere(
            int memoryNode, Place place, Handshake.Answer answer, String caller, String reason) {
        if (answer == Handshake.Answer.ID_TAKEN) {
            return new FabricException("Compute Node " + node + " is already running: another process is connected to "
                    + "Memory Node " + memoryNode + " under that id. Choose another node id, or end that process");
        }
        return new NodeLostException(
                memoryNode,
                LossKind.NEVER_JOINED,
                caller + " found no Memory Node " + memoryNode + " of cluster '" + config.cluster() + "' at " + place
                        + " in time: it was not started, or its run is over (" + reason + ")");
    }

    /**
     * Makes one attempt to connect, whatever the answer. If it is WELCOME, the Memory Node has ended the earlier
     * connection of the same number.
     *
     * @param end when to give up
     * @param check throws a {@link RuntimeException} if the connection is no longer needed
     * @param onFailure called with a connection that was opened and not answered, which the Memory Node may regard as
     *     the one in use
     */
    Dialled attempt(
            InetAddress address, int memoryNode, int lane, long end, Runnable check, Consumer<Connection> onFailure)
            throws IOException {
        int depth = Handshake.Hello.isControl(lane) ? 0 : own.domain().limits().depth();
        Connection.TimeLimit limit = new Connection.TimeLimit() {
            @Override
            public int millisLeft() {
                return (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()));
            }

            @Override
            public void check() throws IOException {
                check.run();
                checkUninterrupted(memoryNode);
                if (System.nanoTime() - end > 0) {
                    throw new IOException("no answer");
                }
            }
        };
        int port = Place.ofMemoryNode(config, memoryNode).port();
        Connection connection =
                Connection.open(own.domain(), PathOptions.of(config), own.address(), address, port, depth, limit);
        try {
            LocalBuffer page = connection.page();
            QueuePair pair = connection.pair();
            choice.objection(pair).ifPresent(objection -> {
                throw new FabricException("Compute Node " + node + ": " + objection);
            });
            Handshake.Hello hello = new Handshake.Hello(run, node, memoryNode, lane, config.cluster());
            ComputeNodeHandshake handshake =
                    new ComputeNodeHandshake(hello, version, secret, pair.number(), pair.peerNumber());
            connection.exchange(handshake.begin(page, pair.outgoing()), limit);
            int answer = handshake.answer(page, pair.incoming(), pair.outgoing());
            if (answer > 0) {
                pair.receiveAnother();
                connection.exchange(answer, limit);
            }
            return new Dialled(connection, handshake.end(page, pair.incoming()), address);
        } catch (IOException | RuntimeException e) {
            onFailure.accept(connection);
            throw e;
        }
    }

    private static void checkUninterrupted(int memoryNode) {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedWaitException("interrupted while connecting to Memory Node " + memoryNode);
        }
    }
}
