package dev.remus.fabric.verbs;

import com.ibm.disni.verbs.RdmaCmId;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.RemoteSegment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Receives the connections of Compute Nodes at a Memory Node, sends them the addresses of the segments, and notices
 * when they leave. One thread does all of it, and owns all connections.
 */
final class Reception {
    private static final int IDLE_MILLIS = 10;
    private static final int BUSY_MILLIS = 1;
    private static final long HELLO_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long CLOSE_MILLIS = 20_000;

    /** One end of a connection. */
    private static final class Visit {
        final RdmaCmId id;
        final QueuePair pair;
        final long since;

        /** Its HELLO; null before it has arrived. */
        Handshake.@Nullable Hello hello;

        /** Not null once a control connection has been accepted. */
        @Nullable
        LivenessProbe probe;

        boolean goodbye;

        /** Set when it no longer answers, although neither end has closed it. */
        boolean unreachable;

        Visit(RdmaCmId id, QueuePair pair, long since) {
            this.id = id;
            this.pair = pair;
            this.since = since;
        }

        /** The address of its id in C, by which events are matched. */
        long handle() {
            return Verbs.handle(id);
        }

        boolean isControl() {
            return probe != null;
        }
    }

    private final String cluster;
    private final int node;
    private final Reservation own;
    private final long run;
    private final RemoteSegment testWord;
    private final List<RemoteSegment> segments;
    private final Guests guests;
    private final Map<Long, Visit> visits = new HashMap<>();
    private final ByteBuffer event = Verbs.newEvent();
    private final Thread thread;
    private volatile boolean closing;

    /** Starts to listen. */
    Reception(
            String cluster,
            int node,
            Reservation own,
            long run,
            RemoteSegment testWord,
            List<RemoteSegment> segments,
            Guests guests)
            throws IOException {
        this.cluster = cluster;
        this.node = node;
        this.own = own;
        this.run = run;
        this.testWord = testWord;
        this.segments = segments;
        this.guests = guests;
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
                for (Visit visit : List.copyOf(visits.values())) {
                    busy |= isOpen(visit) && attend(visit); // a visit may have ended another
                }
                receive(busy ? BUSY_MILLIS : IDLE_MILLIS);
            }
        } catch (IOException | RuntimeException e) {
            guests.goBlind(e);
        } finally {
            List.copyOf(visits.values()).forEach(this::end);
        }
    }

    /** Waits for events and handles all that have arrived. */
    private void receive(int millis) throws IOException {
        int type = Verbs.event(own.channel(), event, millis);
        while (type != Verbs.NO_EVENT) {
            long id = event.getLong(Long.BYTES);
            Visit visit = visits.get(id);
            if (type == Verbs.CONNECT_REQUEST) {
                accept(id);
            } else if (type == Verbs.ESTABLISHED || type == Verbs.TIMEWAIT_EXIT) {
                // Nothing to do: only the HELLO counts, which may even have arrived before.
            } else if (visit != null) {
                end(visit);
            }
            type = Verbs.event(own.channel(), event, 0);
        }
    }

    private void accept(long handle) throws IOException {
        RdmaCmId id = Verbs.requested(own.channel(), handle);
        QueuePair pair = null;
        try {
            pair = new QueuePair(id, own.domain(), 0);
            Verbs.accept(id);
            visits.put(handle, new Visit(id, pair, System.nanoTime()));
        } catch (IOException | FabricException e) {
            if (pair != null) {
                pair.close();
            }
            Verbs.destroy(id); // the other end sees a rejection, and tries again
        }
    }

    /** Serves a connection; returns true if its HELLO is due. */
    private boolean attend(Visit visit) {
        long now = System.nanoTime();
        try {
            Handshake.Hello hello = visit.hello;
            LivenessProbe probe = visit.probe;
            if (hello == null) {
                return awaitHello(visit, now);
            }
            if (probe != null) {
                boolean alive = probe.isAnswered(now);
                lookForGoodbye(visit);
                if (!alive && !visit.goodbye) {
                    receive(0); // which ends the visit if its process has just ended
                    if (isOpen(visit)) {
                        endAllOf(hello.run(), !visit.pair.wasFlushed());
                    }
                }
            }
        } catch (IOException | FabricException e) {
            end(visit); // its message is invalid, or its queue pair is broken
        }
        return false;
    }

    private boolean awaitHello(Visit visit, long now) throws IOException {
        visit.pair.poll();
        if (visit.pair.hasReceived()) {
            Handshake.Hello hello = Handshake.Hello.readFrom(visit.pair.page(), visit.pair.incoming());
            visit.hello = hello;
            visit.pair.receiveAnother();
            welcome(visit, hello, now);
            return false;
        }
        if (visit.pair.hasFailed() || now - visit.since > HELLO_NANOS) {
            end(visit);
            return false;
        }
        return true;
    }

    private void welcome(Visit visit, Handshake.Hello hello, long now) throws IOException {
        Handshake.Answer answer = answer(hello);
        if (answer == Handshake.Answer.WELCOME && hello.purpose() == Handshake.Purpose.CONTROL) {
            guests.joined(hello.computeNode(), hello.run());
            visit.probe = new LivenessProbe(visit.pair, now);
        }
        List<RemoteSegment> offered = answer == Handshake.Answer.WELCOME ? segments : List.of();
        Handshake.Welcome welcome = new Handshake.Welcome(run, answer, testWord, offered);
        visit.pair.send(welcome.writeTo(visit.pair.page(), visit.pair.outgoing()));
    }

    private Handshake.Answer answer(Handshake.Hello hello) {
        if (hello.memoryNode() != node || !hello.cluster().equals(cluster)) {
            return Handshake.Answer.NOT_HERE;
        }
        return guests.mayJoin(hello.computeNode(), hello.run()) ? Handshake.Answer.WELCOME : Handshake.Answer.ID_TAKEN;
    }

    private static void lookForGoodbye(Visit visit) {
        visit.goodbye |= visit.pair.hasReceived() && Handshake.isGoodbye(visit.pair.page(), visit.pair.incoming());
    }

    /** Ends all connections of a Compute Node that no longer answers: none would end on its own. */
    private void endAllOf(long lostRun, boolean unreachable) {
        List<Visit> its = new ArrayList<>(visits.values());
        its.removeIf(visit -> visit.hello == null || visit.hello.run() != lostRun);
        its.forEach(visit -> {
            visit.unreachable = unreachable;
            end(visit);
        });
    }

    /** False once it has ended, even if a later connection has the same id. */
    private boolean isOpen(Visit visit) {
        return visits.get(visit.handle()) == visit;
    }

    private void end(Visit visit) {
        if (!isOpen(visit)) {
            return;
        }
        visits.remove(visit.handle());
        Handshake.Hello hello = visit.hello;
        if (hello != null && visit.isControl()) {
            try {
                visit.pair.poll();
            } catch (IOException e) {
                // Then there is no goodbye to be found.
            }
            lookForGoodbye(visit);
            guests.left(hello.computeNode(), visit.goodbye, visit.unreachable ? LossKind.UNREACHABLE : LossKind.ENDED);
        }
        Verbs.disconnect(visit.id);
        visit.pair.close();
        Verbs.destroy(visit.id);
    }
}
