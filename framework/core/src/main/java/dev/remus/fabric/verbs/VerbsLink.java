package dev.remus.fabric.verbs;

import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Lane;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalSegments;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.RemoteSegment;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The connections to one run of a Memory Node: the lanes, and one for control, which detects its loss. */
final class VerbsLink implements Link, VerbsLane.Peer {
    private static final long GOODBYE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long GOODBYE_POLL_NANOS = 20_000;
    private static final long WATCH_LANES_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Dialer dialer;
    private final Consumer<VerbsLink> onClose;
    private final int memoryNode;
    private final Handshake.Welcome welcome;
    private final List<VerbsLane> lanes = new ArrayList<>();

    /** Guarded by the lock of this object, as is {@link #closed}. */
    private final Connection control;

    /** Null unless the Memory Node is this very node, in this process. */
    private final @Nullable OwnMemory ownMemory;

    private final LivenessProbe probe;
    private boolean closed;
    private long lanesWatchedAt;

    /** Why the Memory Node is lost; null while it is not. */
    private volatile @Nullable CompletionStatus loss;

    private VerbsLink(Dialer dialer, Consumer<VerbsLink> onClose, int memoryNode, Dialer.Dialled control) {
        this.dialer = dialer;
        this.onClose = onClose;
        this.memoryNode = memoryNode;
        this.control = control.connection();
        this.welcome = control.welcome();
        this.ownMemory = dialer.node() == memoryNode ? OwnMemory.of(welcome.run()) : null;
        this.lanesWatchedAt = System.nanoTime();
        this.probe = new LivenessProbe(this.control.pair(), lanesWatchedAt);
    }

    /**
     * Connects to a Memory Node.
     *
     * @param onClose called once the link is closed
     * @throws NodeLostException if the Memory Node could not be reached in time
     */
    static VerbsLink open(Dialer dialer, int memoryNode, int lanes, Duration timeout, Consumer<VerbsLink> onClose) {
        long deadline = System.nanoTime() + timeout.toNanos();
        String caller = "Compute Node " + dialer.node();
        VerbsLink link = new VerbsLink(
                dialer, onClose, memoryNode, dialer.dial(memoryNode, Handshake.Hello.CONTROL, deadline, caller));
        try {
            for (int i = 0; i < lanes; i++) {
                int identity = dialer.newLane();
                Dialer.Dialled dialled = dialer.dial(memoryNode, identity, deadline, caller);
                link.lanes.add(new VerbsLane(
                        link, i, identity, dialled.connection(), dialer.domain().limits()));
                link.checkSameRun(dialled, "lane " + i);
            }
            AtomicsCheck.check(link.lane(0), link.welcome.testWord(), dialer.domain());
            return link;
        } catch (RuntimeException e) {
            link.close();
            throw e;
        }
    }

    @Override
    public Connection redial(VerbsLane lane) {
        Dialer.Dialled fresh = dialer.redial(memoryNode, lane.identity(), lane.toString());
        if (fresh.welcome().run() != welcome.run()) {
            fresh.connection().close();
        }
        checkSameRun(fresh, lane.toString());
        return fresh.connection();
    }

    private void checkSameRun(Dialer.Dialled dialled, String lane) {
        if (dialled.welcome().run() != welcome.run()) {
            loss = CompletionStatus.PEER_LOST;
            throw new NodeLostException(
                    memoryNode, lane + ": Memory Node " + memoryNode + " is gone, another run of it has started");
        }
    }

    @Override
    public int memoryNode() {
        return memoryNode;
    }

    @Override
    public int segments() {
        return welcome.segments().size();
    }

    @Override
    public RemoteSegment segment(int i) {
        return welcome.segments().get(i);
    }

    @Override
    public int lanes() {
        return lanes.size();
    }

    @Override
    public Lane lane(int i) {
        return lanes.get(i);
    }

    @Override
    public @Nullable LocalSegments localSegments() {
        return ownMemory;
    }

    @Override
    public boolean isLost() {
        if (loss == null) {
            synchronized (this) {
                if (!closed && control.hasEnded()) {
                    loss = CompletionStatus.PEER_LOST;
                }
            }
        }
        return loss != null;
    }

    @Override
    public LossKind lossKind() {
        return loss == CompletionStatus.RETRY_EXCEEDED ? LossKind.UNREACHABLE : LossKind.ENDED;
    }

    /**
     * The status with which operations fail once {@link #isLost} or {@link #watch} has found the Memory Node lost:
     * {@link CompletionStatus#PEER_LOST} if it has ended the connection, {@link CompletionStatus#RETRY_EXCEEDED} if it
     * no longer answers. Null before.
     */
    @Override
    public @Nullable CompletionStatus loss() {
        return loss;
    }

    /** To be called many times a second; fails all outstanding requests if the Memory Node is gone. */
    void watch(long now) {
        if (!isLost() && !isAnswering(now)) {
            // The node may have ended just now, which fails the probe too.
            loss = isLost() || control.pair().wasFlushed()
                    ? CompletionStatus.PEER_LOST
                    : CompletionStatus.RETRY_EXCEEDED;
        }
        CompletionStatus reason = loss;
        if (reason != null) {
            lanes.forEach(lane -> lane.peerLost(reason));
        } else if (now - lanesWatchedAt > WATCH_LANES_NANOS) {
            lanesWatchedAt = now;
            lanes.forEach(lane -> lane.watch(now));
        }
    }

    private synchronized boolean isAnswering(long now) {
        try {
            return closed || probe.isAnswered(now);
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        close(true);
    }

    /** @param goodbye whether to send a GOODBYE, so that the Memory Node records no loss */
    void close(boolean goodbye) {
        lanes.forEach(VerbsLane::close);
        synchronized (this) {
            if (!closed) {
                closed = true;
                if (goodbye && loss == null) {
                    sendGoodbye();
                }
                control.close();
            }
        }
        onClose.accept(this);
    }

    private void sendGoodbye() {
        QueuePair pair = control.pair();
        try {
            pair.send(Handshake.writeGoodbye(pair.page(), pair.outgoing()));
            long deadline = System.nanoTime() + GOODBYE_NANOS;
            while (!pair.hasSent() && !pair.hasFailed() && System.nanoTime() - deadline < 0) {
                LockSupport.parkNanos(GOODBYE_POLL_NANOS);
                pair.poll();
            }
        } catch (IOException e) {
            // The connection is broken: the Memory Node rightly records a loss.
        }
    }

    @Override
    public String toString() {
        return "link to Memory Node " + memoryNode;
    }
}
