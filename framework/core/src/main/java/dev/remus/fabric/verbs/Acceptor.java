// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import com.ibm.disni.verbs.RdmaCmId;
import dev.remus.config.ClusterConfig;
import dev.remus.fabric.ClusterSecret;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Reachability;
import dev.remus.fabric.RemoteSegment;
import dev.remus.fabric.Version;
import dev.remus.logging.Loggers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Accepts the connections of Compute Nodes at a Memory Node, sends them the addresses of the segments, and detects
 * their end. One thread does all of it, and owns all connections.
 */
final class Acceptor {
    private static final Logger LOG = Loggers.of(Acceptor.class);
    private static final int IDLE_MILLIS = 10;
    private static final int BUSY_MILLIS = 1;
    /** How long a handshake may take. */
    static final long HANDSHAKE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** The most connections whose handshake is not complete. */
    private static final int MOST_HALF_OPEN = 1024;

    private static final long CLOSE_MILLIS = 20_000;

    /** The Memory Node's end of a connection. */
    private static final class Session {
        final RdmaCmId id;
        final QueuePair pair;
        final MemoryNodeHandshake handshake;

        /** Its HELLO; null before it has proved its membership. */
        Handshake.@Nullable Hello hello;

        /** Not null once a control connection has been accepted. */
        @Nullable
        LivenessProbe probe;

        /** The Compute Node; not null once a control connection has been accepted. */
        @Nullable
        Reachability peer;

        boolean goodbye;

        /** Whether the last answer was not WELCOME. The other end closes the connection then. */
        boolean refused;

        Session(RdmaCmId id, QueuePair pair, MemoryNodeHandshake handshake) {
            this.id = id;
            this.pair = pair;
            this.handshake = handshake;
        }

        /** The address of its id in C, by which events are matched. */
        long handle() {
            return Verbs.handle(id);
        }

        boolean isControl() {
            return probe != null;
        }
    }

    private final ClusterConfig config;
    private final int node;
    private final Reservation own;
    private final long run;
    private final RemoteSegment testWord;
    private final List<RemoteSegment> segments;
    private final ConnectedNodes nodes;
    private final Version version;
    private final MemoryNodeHandshake.Requirements requirements;
    private final DeviceChoice choice;
    private final HalfOpen<Session> halfOpen = new HalfOpen<>(MOST_HALF_OPEN, HANDSHAKE_NANOS);
    private final Map<Long, Session> sessions = new HashMap<>();
    private final ByteBuffer event = Verbs.newEvent();
    private final Thread thread;
    private volatile boolean closing;

    /** Starts to listen. */
    Acceptor(
            ClusterConfig config,
            int node,
            Reservation own,
            long run,
            RemoteSegment testWord,
            List<RemoteSegment> segments,
            ConnectedNodes nodes,
            Version version)
            throws IOException {
        this.config = config;
        this.node = node;
        this.own = own;
        this.run = run;
        this.testWord = testWord;
        this.segments = segments;
        this.nodes = nodes;
        this.version = version;
        this.requirements = new MemoryNodeHandshake.Requirements(config, node, run, version, ClusterSecret.of(config));
        this.choice = DeviceChoice.of(config);
        Verbs.listen(own.id());
        this.thread = new Thread(this::serve, "remus-verbs-memory-" + node);
        thread.setDaemon(true);
        thread.start();
    }

    /** Ends all connections. When this returns, no connection can reach the segments any more. */
    void close() {
        closing = true;
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve() {
        try {
            while (!closing) {
                boolean busy = false;
                nodes.toCutOff().forEach(this::cutOff);
                for (Session session : List.copyOf(sessions.values())) {
                    busy |= isOpen(session) && advance(session); // advancing one may have ended another
                }
                halfOpen.late(System.nanoTime()).forEach(this::end);
                receive(busy ? BUSY_MILLIS : IDLE_MILLIS);
            }
        } catch (IOException | RuntimeException e) {
            nodes.fail(e);
        } finally {
            List.copyOf(sessions.values()).forEach(this::end);
        }
    }

    /** Waits for events and handles all that have arrived. */
    private void receive(int millis) throws IOException {
        int type = Verbs.event(own.channel(), event, millis);
        while (type != Verbs.NO_EVENT) {
            long id = event.getLong(Long.BYTES);
            Session session = sessions.get(id);
            if (type == Verbs.CONNECT_REQUEST) {
                accept(id);
            } else if (type == Verbs.DEVICE_REMOVED) {
                nodes.fail(new IOException("its RDMA device was removed"));
                closing = true;
            } else if (type == Verbs.ADDRESS_CHANGED) {
                LOG.warn("Memory Node {}: the address of its RDMA device has moved to another port", node);
            } else if (type == Verbs.ESTABLISHED || type == Verbs.TIMEWAIT_EXIT) {
                // Nothing to do: only the HELLO counts, which may even have arrived before.
            } else if (session != null) {
                end(session);
            }
            type = Verbs.event(own.channel(), event, 0);
        }
    }

    private void accept(long handle) throws IOException {
        RdmaCmId id = Verbs.requested(own.channel(), handle);
        QueuePair pair = null;
        try {
            pair = new QueuePair(id, own.domain(), 0);
            PathOptions.of(config).accept(id);
            Optional<String> objection = choice.objection(pair);
            if (objection.isPresent()) {
                nodes.fail(new IOException(objection.orElseThrow()));
                closing = true;
            }
            Session session =
                    new Session(id, pair, new MemoryNodeHandshake(requirements, pair.number(), pair.peerNumber()));
            halfOpen.add(session, System.nanoTime()).ifPresent(this::end);
            sessions.put(handle, session);
        } catch (IOException | FabricException e) {
            if (pair != null) {
                pair.close();
            }
            Verbs.destroy(id); // the other end sees a rejection, and tries again
        }
    }

    /** Handles what has arrived on a connection; returns whether its handshake goes on. */
    private boolean advance(Session session) {
        long now = System.nanoTime();
        try {
            Handshake.Hello hello = session.hello;
            LivenessProbe probe = session.probe;
            if (hello == null) {
                return !session.refused && awaitMessage(session, now);
            }
            if (probe != null) {
                watch(session, hello, probe, now);
            }
        } catch (IOException | FabricException e) {
            end(session); // its message is invalid, or its queue pair is broken
        }
        return false;
    }

    /**
     * Watches a control connection. Its end is an event. If it only fails, the Compute Node may connect again in its
     * place until it is lost.
     */
    private void watch(Session session, Handshake.Hello hello, LivenessProbe probe, long now) throws IOException {
        boolean isAnswered = isAnswered(probe, now);
        checkForGoodbye(session);
        if (isAnswered) {
            peer(session).answered(now);
            return;
        }
        receive(0); // ends the session if its process has just ended
        if (isOpen(session) && session.goodbye) {
            end(session);
        } else if (isOpen(session)) {
            peer(session).unanswered(probe.unansweredSince(now), now);
            if (peer(session).isLost()) {
                cutOff(hello.run());
            }
        }
    }

    private static Reachability peer(Session session) {
        return Objects.requireNonNull(session.peer);
    }

    /** Whether the other end of a control connection answers. */
    private static boolean isAnswered(LivenessProbe probe, long now) {
        try {
            return probe.isAnswered(now, false);
        } catch (IOException e) {
            LOG.debug("a control connection has failed: {}", e.getMessage());
            return false;
        }
    }

    /** Takes the next message of a handshake, if it has arrived. */
    private boolean awaitMessage(Session session, long now) throws IOException {
        QueuePair pair = session.pair;
        pair.poll();
        if (pair.hasReceived()) {
            MemoryNodeHandshake.Progress progress =
                    session.handshake.receive(pair.page(), pair.incoming(), pair.outgoing());
            pair.receiveAnother();
            if (progress == MemoryNodeHandshake.Progress.PROVED) {
                welcome(session, session.handshake.hello(), now);
                return false;
            }
            session.refused = progress == MemoryNodeHandshake.Progress.REFUSED;
            pair.send(session.handshake.length());
        } else if (pair.hasFailed()) {
            end(session);
        }
        return isOpen(session) && !session.refused;
    }

    private void welcome(Session session, Handshake.Hello hello, long now) throws IOException {
        Handshake.Answer answer =
                nodes.answer(hello, sessions.values().stream().flatMap(other -> Stream.ofNullable(other.hello)));
        boolean isWelcome = answer == Handshake.Answer.WELCOME;
        session.hello = hello;
        session.refused = !isWelcome;
        if (isWelcome) {
            halfOpen.remove(session);
            session.pair.grantAccess();
            if (hello.isControl()) {
                nodes.joined(hello.computeNode(), hello.run());
                session.probe = new LivenessProbe(session.pair, now);
                session.peer = new Reachability(
                        "Compute Node " + hello.computeNode(),
                        config.lossTimeout(),
                        report -> LOG.warn("Memory Node {}: {}", node, report));
            }
            endReplaced(session, hello, now);
        }
        Handshake.Welcome welcome = isWelcome
                ? new Handshake.Welcome(run, answer, testWord, segments)
                : Handshake.Welcome.refusal(run, answer);
        session.pair.send(session.handshake.write(welcome, session.pair.page(), session.pair.outgoing()));
    }

    /** Destroys the queue pair that a new one replaces: no request of a broken lane may arrive any more. */
    private void endReplaced(Session session, Handshake.Hello hello, long now) {
        for (Session earlier : List.copyOf(sessions.values())) {
            if (earlier != session && earlier.hello != null && hello.replaces(earlier.hello)) {
                if (earlier.peer != null) {
                    session.peer = earlier.peer;
                    earlier.peer.answered(now);
                }
                end(earlier);
            }
        }
    }

    private void checkForGoodbye(Session session) {
        session.goodbye |= session.pair.hasReceived()
                && Handshake.isGoodbye(session.pair.page(), session.pair.incoming(), version);
    }

    /**
     * Cuts off a run of a Compute Node: destroys the queue pairs of all its lanes, and welcomes none of it again. A
     * queue pair that is destroyed executes nothing any more, and what it has executed is in memory.
     *
     * <p>The control connection carries no operations. It ends last, so that no request arrives once the node is known
     * as lost; and while its other end is reachable it stays, since it shows the end of that process.
     */
    private void cutOff(long lostRun) {
        nodes.cutOff(lostRun);
        List<Session> its = new ArrayList<>(sessions.values());
        its.removeIf(session -> session.hello == null || session.hello.run() != lostRun);
        its.sort(Comparator.comparing(Session::isControl));
        for (Session session : its) {
            if (session.peer == null) {
                end(session);
            } else if (!session.peer.isReachable()) {
                session.peer.cutOff();
                end(session);
            }
        }
        nodes.hasCutOff(lostRun);
        LOG.info(
                "Memory Node {}: the queue pairs of a lost Compute Node are destroyed, and new ones are refused", node);
    }

    /** False once it has ended, even if a later connection has the same id. */
    private boolean isOpen(Session session) {
        return sessions.get(session.handle()) == session;
    }

    private void end(Session session) {
        if (!isOpen(session)) {
            return;
        }
        sessions.remove(session.handle());
        halfOpen.remove(session);
        Handshake.Hello hello = session.hello;
        if (hello != null && session.isControl()) {
            try {
                session.pair.poll();
            } catch (IOException e) {
                // There is no GOODBYE then.
            }
            checkForGoodbye(session);
            nodes.left(hello.computeNode(), session.goodbye, peer(session).lossKind());
        }
        Verbs.disconnect(session.id);
        session.pair.close();
        Verbs.destroy(session.id);
    }
}
