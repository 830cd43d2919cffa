// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import dev.remus.config.ClusterSettings;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Whether a node can be reached, as one end of a link to it sees it. A fabric between machines decides by this that a
 * node is lost.
 *
 * <pre>
 *               no answer                      no answer for the loss time-out
 *  REACHABLE -------------&gt; UNREACHABLE since t -------------------------------&gt; LOST
 *      ^                        |    |
 *      +-------- answer --------+    |
 *      |                             |
 *      +-----------------------------+------- its process has ended ----------&gt; ENDED
 * </pre>
 *
 * <p>Memory that is shared on one machine is never unreachable, so fabric {@code shm} needs no more than the check of a
 * process's lock.
 *
 * <p>LOST and ENDED are final: a node that the others gave up must not come back, since they may have taken over what
 * it held. A process is known to have ended if its kernel ended the connection, or if nothing listens at its
 * address.
 *
 * <p>A change between REACHABLE and UNREACHABLE is reported. Any thread may call the methods.
 */
public final class Reachability {
    private enum State {
        REACHABLE,
        UNREACHABLE,
        LOST,
        ENDED
    }

    private final String peer;
    private final long timeoutNanos;
    private final String timeout;
    private final Consumer<String> report;
    private volatile State state = State.REACHABLE;
    private long since;

    /**
     * A node that is reachable.
     *
     * @param peer the node's name in reports, such as {@code Memory Node 2}
     * @param lossTimeout how long it may be unreachable
     * @param report called with a sentence when the node becomes unreachable, and when it is reachable again
     */
    public Reachability(String peer, Duration lossTimeout, Consumer<String> report) {
        this.peer = peer;
        this.timeoutNanos = lossTimeout.toNanos();
        this.timeout = ClusterSettings.LOSS_TIMEOUT.type().format(lossTimeout);
        this.report = report;
    }

    /** The node has answered. */
    public synchronized void answered(long now) {
        if (state == State.UNREACHABLE) {
            state = State.REACHABLE;
            report.accept(peer + " is reachable again, after " + TimeUnit.NANOSECONDS.toSeconds(now - since) + " s");
        }
    }

    /**
     * The node has not answered. To be called repeatedly while it does not.
     *
     * @param begin since when; only the first call after an answer counts
     */
    public synchronized void unanswered(long begin, long now) {
        if (state == State.REACHABLE) {
            since = begin;
            state = State.UNREACHABLE;
            report.accept(peer + " is unreachable; if it stays so for " + timeout + " s, it is lost: "
                    + ClusterSettings.LOSS_TIMEOUT.names());
        }
        if (state == State.UNREACHABLE && now - since >= timeoutNanos) {
            state = State.LOST;
        }
    }

    /** The node's process has ended. */
    public synchronized void ended() {
        if (!isLost()) {
            state = State.ENDED;
        }
    }

    /** The node has given up this one, after the loss time-out. */
    public synchronized void cutOff() {
        if (!isLost()) {
            state = State.LOST;
        }
    }

    /** Whether the node answers, as far as is known. */
    public boolean isReachable() {
        return state == State.REACHABLE;
    }

    /** Whether the node is lost for good. */
    public boolean isLost() {
        return state == State.LOST || state == State.ENDED;
    }

    /** How the node was lost, once {@link #isLost}. */
    public LossKind lossKind() {
        return state == State.LOST ? LossKind.UNREACHABLE : LossKind.ENDED;
    }

    /** How long the node may still be unreachable, in nanoseconds; the whole loss time-out while it is reachable. */
    public synchronized long nanosLeft(long now) {
        return state == State.UNREACHABLE ? Math.max(0, timeoutNanos - (now - since)) : timeoutNanos;
    }
}
