// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Lane;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalSegments;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.Reachability;
import dev.remus.fabric.RemoteSegment;
import dev.remus.logging.Loggers;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The connections to one run of a Memory Node: the lanes, and one for control.
 *
 * <p>A thread of its own watches the control connection. If that fails or is not answered, the thread dials until the
 * Memory Node welcomes a new one, is known to have ended, or is lost ({@link Reachability}). Lanes are not dialled
 * meanwhile.
 *
 * <p>A Memory Node regards the end of a control connection without a GOODBYE as the end of this process. So no control
 * connection that it may regard as the one in use is closed before it has welcomed a later one: neither the old one nor
 * one whose HELLO was not answered.
 */
final class VerbsLink implements Link, VerbsLane.Peer {
    private static final Logger LOG = Loggers.of(VerbsLink.class);
    private static final long WATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LANE_ATTEMPT_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** The first attempt is short, since its messages may be lost; later ones are longer, as the others may be busy. */
    private static final long FIRST_ATTEMPT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long WATCH_LANES_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long GOODBYE_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** How long a GOODBYE may take after the loss time-out. */
    private static final long GOODBYE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** After so many refusals in a row nothing listens; a listener without resources refuses too. */
    private static final int REFUSALS = 3;

    private final Dialer dialer;
    private final Consumer<VerbsLink> onClose;
    private final int memoryNode;
    private final Handshake.Welcome welcome;
    private final InetAddress address;
    private final Duration lossTimeout;
    private final Reachability node;
    private final List<VerbsLane> lanes = new ArrayList<>();

    /** Which control connections replace each other. */
    private final int identity;

    /** Guarded by the lock of this object, as are {@link #probe} and {@link #closed}. */
    private Connection control;

    private LivenessProbe probe;
    private boolean closed;

    /** The control connection on which a GOODBYE was sent; null before. */
    private @Nullable Connection farewell;

    /** Control connections whose HELLO was not answered. Used by the watcher, and by the closing thread after it. */
    private final List<Connection> unanswered = new ArrayList<>();

    private final Thread watcher;

    /** Whether the watcher dials. Then the end of the old control connection means nothing. */
    private volatile boolean dials;

    /** Whether a lane has broken, so that the Memory Node should be probed at once. */
    private volatile boolean hurry;

    /** Whether the Memory Node has cut off this node. */
    private volatile boolean isCutOff;

    private int refusals;
    private long attemptNanos = FIRST_ATTEMPT_NANOS;
    private long lanesWatchedAt;

    /** Null unless the Memory Node is this very node, in this process. */
    private final @Nullable OwnMemory ownMemory;

    private VerbsLink(
            Dialer dialer, Consumer<VerbsLink> onClose, int memoryNode, int identity, Dialer.Dialled control) {
        this.dialer = dialer;
        this.onClose = onClose;
        this.memoryNode = memoryNode;
        this.identity = identity;
        this.control = control.connection();
        this.welcome = control.welcome();
        this.address = control.address();
        this.lossTimeout = dialer.lossTimeout();
        this.node = new Reachability(
                "Memory Node " + memoryNode,
                lossTimeout,
                report -> LOG.warn("Compute Node {}: {}", dialer.node(), report));
        this.ownMemory = dialer.node() == memoryNode ? OwnMemory.of(welcome.run()) : null;
        this.lanesWatchedAt = System.nanoTime();
        this.probe = new LivenessProbe(this.control.pair(), lanesWatchedAt);
        this.watcher = new Thread(this::watch, "remus-verbs-link-" + dialer.node() + "-" + memoryNode);
        watcher.setDaemon(true);
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
        int control = Handshake.Hello.control(dialer.newNumber());
        VerbsLink link =
                new VerbsLink(dialer, onClose, memoryNode, control, dialer.dial(memoryNode, control, deadline, caller));
        try {
            for (int i = 0; i < lanes; i++) {
                int identity = dialer.newNumber();
                Dialer.Dialled dialled = dialer.dial(memoryNode, identity, deadline, caller);
                link.lanes.add(new VerbsLane(
                        link, i, identity, dialled.connection(), dialer.domain().limits()));
                link.checkWelcome(dialled.welcome(), "lane " + i);
            }
            AtomicsCheck.check(link.lane(0), link.welcome.testWord(), dialer.domain());
            link.watcher.start();
            return link;
        } catch (RuntimeException e) {
            link.close();
            throw e;
        }
    }

    @Override
    public Connection redial(VerbsLane lane) {
        checkReachable(lane);
        hurry = true;
        LockSupport.unpark(watcher);
        Dialer.Dialled fresh;
        try {
            long end = System.nanoTime() + LANE_ATTEMPT_NANOS;
            Runnable check = () -> checkReachable(lane);
            fresh = dialer.attempt(address, memoryNode, lane.identity(), end, check, Connection::close);
        } catch (IOException e) {
            throw new FabricException(lane + " cannot be connected now: " + e.getMessage(), e);
        }
        try {
            checkWelcome(fresh.welcome(), lane.toString());
            return fresh.connection();
        } catch (NodeLostException e) {
            fresh.connection().close();
            throw e;
        }
    }

    /** Throws if a lane is closed or cannot be connected now: threads wait for an attempt, so it must end soon. */
    private void checkReachable(VerbsLane lane) {
        lane.checkOpen();
        if (!node.isReachable()) {
            throw new FabricException(lane + ": Memory Node " + memoryNode + " is unreachable now");
        }
    }

    /** @throws NodeLostException if this run of the Memory Node has ended, or has given up this node */
    private void checkWelcome(Handshake.Welcome answer, String who) {
        if (answer.answer() == Handshake.Answer.CUT_OFF) {
            isCutOff = true;
            node.cutOff();
        } else if (answer.answer() != Handshake.Answer.WELCOME || answer.run() != welcome.run()) {
            node.ended();
        } else {
            return;
        }
        String message = node.lossKind() == LossKind.ENDED
                ? " is gone, another run of it has started"
                : " has declared this node lost and cut it off";
        throw new NodeLostException(memoryNode, node.lossKind(), who + ": Memory Node " + memoryNode + message);
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

    // ------------------------------------------------------------------------------------------------ watching

    @Override
    public boolean isReachable() {
        return node.isReachable();
    }

    @Override
    public boolean isLost() {
        if (!node.isLost() && !dials) {
            synchronized (this) {
                if (!closed && !dials && control.hasEnded()) {
                    node.ended();
                }
            }
        }
        return node.isLost();
    }

    @Override
    public LossKind lossKind() {
        return node.lossKind();
    }

    @Override
    public boolean isCutOff() {
        return isCutOff;
    }

    /**
     * The status with which operations fail once {@link #isLost}: {@link CompletionStatus#PEER_LOST} if the Memory Node
     * has ended, {@link CompletionStatus#RETRY_EXCEEDED} if it no longer answers. Null before.
     */
    @Override
    public @Nullable CompletionStatus loss() {
        if (!node.isLost()) {
            return null;
        }
        return node.lossKind() == LossKind.ENDED ? CompletionStatus.PEER_LOST : CompletionStatus.RETRY_EXCEEDED;
    }

    /** The present control connection. */
    synchronized Connection control() {
        return control;
    }

    private void watch() {
        while (!isClosed() && !isLost()) {
            long now = System.nanoTime();
            boolean isAnswered = isAnswered(now);
            if (!isAnswered) {
                dial(now);
            }
            if (now - lanesWatchedAt > WATCH_LANES_NANOS) {
                lanesWatchedAt = now;
                lanes.forEach(this::watch);
            }
            LockSupport.parkNanos(isAnswered ? WATCH_NANOS : PAUSE_NANOS);
        }
        CompletionStatus reason = loss();
        if (reason != null) {
            lanes.forEach(lane -> lane.peerLost(reason));
        }
    }

    private void watch(VerbsLane lane) {
        try {
            lane.watch(System.nanoTime());
        } catch (FabricException e) {
            LOG.debug("{} has broken: {}", lane, e.getMessage()); // its users notice
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Probes the control connection. */
    private synchronized boolean isAnswered(long now) {
        boolean isAnswered = false;
        try {
            isAnswered = closed || probe.isAnswered(now, hurry);
            hurry = false;
        } catch (IOException e) {
            LOG.debug("{}: {}", this, e.getMessage());
        }
        isAnswered &= unanswered.isEmpty(); // else the Memory Node may have ended this connection
        if (isAnswered) {
            dials = false;
            node.answered(now);
        } else if (dials || !control.hasEnded()) { // if it has ended, that was its last message
            dials = true;
            node.unanswered(probe.unansweredSince(now), now);
        }
        return isAnswered;
    }

    /** Makes one attempt to replace the control connection. */
    private void dial(long now) {
        if (!dials || node.isLost()) {
            return;
        }
        long end = now + Math.min(attemptNanos, node.nanosLeft(now));
        try {
            Dialer.Dialled fresh = dialer.attempt(address, memoryNode, identity, end, this::checkOpen, unanswered::add);
            refusals = 0;
            use(fresh);
        } catch (Connection.RefusedException e) {
            refusals++;
            if (refusals == REFUSALS) {
                node.ended();
            }
        } catch (IOException | FabricException | IllegalStateException e) {
            refusals = 0;
            LOG.debug("{} stays down: {}", this, e.getMessage());
            attemptNanos *= System.nanoTime() - end < 0 ? 1 : 2; // it was too short
        }
    }

    private void checkOpen() {
        if (isClosed()) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    private void use(Dialer.Dialled fresh) {
        try {
            checkWelcome(fresh.welcome(), toString());
        } catch (NodeLostException e) {
            fresh.connection().close();
            LOG.debug("{}", e.getMessage());
            return;
        }
        unanswered.add(fresh.connection());
        synchronized (this) {
            if (closed) {
                return; // the closing thread closes the new one too
            }
            unanswered.remove(fresh.connection());
            unanswered.add(control);
            control = fresh.connection();
            long now = System.nanoTime();
            probe = new LivenessProbe(control.pair(), now);
            dials = false;
            attemptNanos = FIRST_ATTEMPT_NANOS;
            node.answered(now);
        }
        closeUnanswered();
    }

    private void closeUnanswered() {
        unanswered.forEach(Connection::close);
        unanswered.clear();
    }

    // ------------------------------------------------------------------------------------------------ closing

    @Override
    public void close() {
        close(true);
    }

    /** @param goodbye whether to send a GOODBYE, so that the Memory Node records no loss */
    void close(boolean goodbye) {
        lanes.forEach(VerbsLane::close);
        if (goodbye) {
            sayGoodbye();
        }
        synchronized (this) {
            closed = true;
        }
        LockSupport.unpark(watcher);
        boolean interrupted = awaitWatcher();
        synchronized (this) {
            control.close();
            closeUnanswered();
        }
        onClose.accept(this);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the watcher, which may dial. Returns whether this thread was interrupted meanwhile. */
    private boolean awaitWatcher() {
        boolean interrupted = false;
        while (watcher.isAlive()) {
            try {
                watcher.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        return interrupted;
    }

    /** Sends a GOODBYE. While the Memory Node is unreachable, waits for it until it is lost. */
    private void sayGoodbye() {
        long patience = watcher.isAlive() ? lossTimeout.toNanos() + GOODBYE_NANOS : GOODBYE_NANOS;
        long begin = System.nanoTime();
        while (!hasSaidGoodbye() && !isLost() && System.nanoTime() - begin < patience) {
            LockSupport.parkNanos(GOODBYE_POLL_NANOS);
        }
    }

    /** Sends a GOODBYE unless one is on the way; returns whether it has arrived. True if this link is closed. */
    private synchronized boolean hasSaidGoodbye() {
        if (closed) {
            return true;
        }
        QueuePair pair = control.pair();
        try {
            if (farewell != control) {
                farewell = control;
                pair.send(Handshake.writeGoodbye(pair.page(), pair.outgoing(), dialer.version()));
            }
            pair.poll();
            return pair.hasSent();
        } catch (IOException e) {
            return false; // the watcher replaces the connection
        }
    }

    @Override
    public String toString() {
        return "link to Memory Node " + memoryNode;
    }
}
