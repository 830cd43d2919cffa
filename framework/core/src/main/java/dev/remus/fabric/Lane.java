// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One queue pair from a Compute Node to a Memory Node: an ordered stream of work requests. Any number of threads may
 * post to a lane and poll it. A thread that polls gets the completions of all threads, and must pass them on by their
 * ids.
 */
public interface Lane {
    /**
     * The maximum number of outstanding requests, and of requests in a chain. It is more than {@link
     * RemoteSequence#CAPACITY}, so that a sequence and the READ that places it fit.
     */
    int depth();

    /**
     * Posts all requests of a chain, in order, if there is room for them. Returns at once. The results are there when
     * the completion is. Allocates nothing, even if there is no room, so that a thread can retry while it polls.
     *
     * <p>A request is outstanding until it, or a signalled one posted after it on the same lane, has been polled. On a
     * broken lane each request completes as {@link CompletionStatus#FLUSHED}.
     *
     * @return false if more than {@link #depth} requests would be outstanding; then nothing was posted
     * @throws IllegalArgumentException if the chain is empty or longer than the depth, or names a segment of another
     *     Memory Node; nothing was posted
     * @throws IllegalStateException if the lane is closed
     */
    boolean tryPost(Chain chain);

    /**
     * Posts all requests of a chain like {@link #tryPost}, for a caller that has made sure that there is room.
     *
     * @throws LaneFullException if there is no room; nothing was posted
     */
    default void post(Chain chain) {
        if (!tryPost(chain)) {
            throw new LaneFullException(this + " has no room for a chain of " + chain.size()
                    + " requests: with the outstanding ones, they exceed its depth of " + depth());
        }
    }

    /**
     * Posts like {@link #tryPost}, for a caller that is about to post more here. The lane may keep the requests to
     * itself, so that the device gets them together with later ones. It starts them at the latest when a thread next
     * calls {@link #tryPost}, {@link #poll} or {@link #start} on this lane, or else after finite time.
     */
    default boolean tryPostMore(Chain chain) {
        return tryPost(chain);
    }

    /** Starts all requests that were posted. */
    default void start() {}

    /**
     * The lock that this lane takes to post and to poll. A caller that guards something of its own while it does so can
     * hold this lock instead of another one. It is not held while the lane is connected again.
     *
     * @return empty if the lane has no such lock
     */
    default Optional<ReentrantLock> lock() {
        return Optional.empty();
    }

    /**
     * Replaces the contents of {@code into} with the completions that have not been polled before, in the order of this
     * lane. Never waits. A signalled request completes once. An unsignalled request completes only if it fails, with id
     * 0.
     *
     * @return the number of completions, perhaps 0
     * @throws IllegalStateException if the lane is closed
     */
    int poll(Completions into);

    /**
     * Whether a request has failed on this lane. A broken lane executes nothing until {@link #reconnect}. Cheap, since
     * callers check it before they post.
     */
    boolean isBroken();

    /**
     * Makes a broken lane usable again, after its completions have been polled. Does nothing on an unbroken lane. When
     * this returns, nothing that was posted before arrives at the Memory Node any more, and what has arrived is placed.
     * So memory that those requests named can be used again.
     *
     * <p>Makes one attempt. If it fails, the lane stays broken, and the caller may try again after a pause.
     *
     * @throws NodeLostException if the Memory Node is lost
     * @throws FabricException if the lane cannot be connected now
     * @throws IllegalStateException if completions are still waiting to be polled, or the lane is closed
     */
    void reconnect();
}
