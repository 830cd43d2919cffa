package dev.remus.fabric.verbs;

import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Lane;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalSegments;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.RemoteSegment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The connections to one run of a Memory Node: one for control, which tells whether it is there, and the lanes. */
final class VerbsLink implements Link {
    private static final long GOODBYE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long GOODBYE_LOOK_NANOS = 20_000;
    private static final long WATCH_LANES_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Dialer dialer;
    private final int memoryNode;
    private final Handshake.Welcome welcome;
    private final List<VerbsLane> lanes = new ArrayList<>();

    /** Used under the lock of this object, as is {@link #closed}. */
    private final Connection control;

    /** Null unless the Memory Node is this very node, in this process. */
    private final @Nullable OwnMemory ownMemory;

    private final Heartbeat heartbeat;
    private boolean closed;
    private long lanesWatchedAt;

    /** Why the Memory Node is lost; null while it is not. */
    private volatile @Nullable CompletionStatus loss;

    /** @param control welcome already */
    VerbsLink(Dialer dialer, int memoryNode, Connection control, Handshake.Welcome welcome) {
        this.dialer = dialer;
        this.memoryNode = memoryNode;
        this.control = control;
        this.welcome = welcome;
        this.ownMemory = dialer.node() == memoryNode ? OwnMemory.of(welcome.run()) : null;
        this.lanesWatchedAt = System.nanoTime();
        this.heartbeat = new Heartbeat(control.pair(), lanesWatchedAt);
    }

    /** Adds a lane; to be called before the link is used. */
    void addLane(Connection connection, DeviceLimits device) {
        lanes.add(new VerbsLane(this, lanes.size(), connection, device));
    }

    /** The run of the Memory Node at the other end. */
    long run() {
        return welcome.run();
    }

    /** See {@link AtomicsCheck}. */
    RemoteSegment testWord() {
        return welcome.testWord();
    }

    /** A new connection for a lane whose old one is broken. */
    Connection dialAgain(VerbsLane lane) {
        return dialer.dialLane(this, lane.toString());
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
     * With what operations fail once {@link #isLost} or {@link #watch} has found the Memory Node lost: as gone if it has
     * ended the connection, as silent if nothing is heard of it. Null before.
     */
    @Nullable
    CompletionStatus loss() {
        return loss;
    }

    /** Sets that the Memory Node is gone, when a new connection has shown it. */
    void foundLost() {
        loss = CompletionStatus.PEER_LOST;
    }

    /** To be called many times a second: ends what is outstanding if the Memory Node is gone. */
    void watch(long now) {
        if (!isLost() && !isBeating(now)) {
            // It may have ended just now, which also fails what the heartbeat has posted.
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

    private synchronized boolean isBeating(long now) {
        try {
            return closed || heartbeat.beat(now);
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        close(true);
    }

    /** @param goodbye whether to tell the Memory Node that this is no loss */
    void close(boolean goodbye) {
        lanes.forEach(VerbsLane::close);
        synchronized (this) {
            if (!closed) {
                closed = true;
                if (goodbye && loss == null) {
                    sayGoodbye();
                }
                control.close();
            }
        }
        dialer.forget(this);
    }

    private void sayGoodbye() {
        QueuePair pair = control.pair();
        try {
            pair.send(Handshake.writeGoodbye(pair.page(), pair.outgoing()));
            long deadline = System.nanoTime() + GOODBYE_NANOS;
            while (!pair.hasSent() && !pair.hasFailed() && System.nanoTime() - deadline < 0) {
                LockSupport.parkNanos(GOODBYE_LOOK_NANOS);
                pair.poll();
            }
        } catch (IOException e) {
            // The connection is broken, so the Memory Node sees a loss, and is right.
        }
    }

    @Override
    public String toString() {
        return "link to Memory Node " + memoryNode;
    }
}
