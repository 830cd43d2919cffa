package dev.remus.fabric;

/**
 * One queue pair from a Compute Node to a Memory Node: an ordered stream of work requests. Any number of threads may
 * post to a lane and poll it; whoever polls gets everybody's completions and has to pass them on by their ids.
 */
public interface Lane {
    /**
     * The most requests that may be outstanding; also the longest chain. More than {@link RemoteSequence#CAPACITY}, so
     * that a sequence and the READ that places it fit.
     */
    int depth();

    /**
     * Posts all requests of a chain, in order, if there is room for them. Returns at once; results are there when the
     * completion is. Allocates nothing, also if there is no room: a thread may try again and again while it polls.
     *
     * <p>A request counts as outstanding until it, or a signalled one posted after it on the same lane, has been
     * polled. On a broken lane each request completes as {@link CompletionStatus#FLUSHED}.
     *
     * @return false if more requests would be outstanding than {@link #depth}; then nothing was posted
     * @throws IllegalArgumentException if the chain is empty or longer than the depth, or names a segment of another
     *     Memory Node; nothing was posted
     * @throws IllegalStateException if the lane is closed
     */
    boolean tryPost(Chain chain);

    /**
     * Posts all requests of a chain like {@link #tryPost}, for a caller that has seen to it that there is room.
     *
     * @throws LaneFullException if there is none; nothing was posted
     */
    default void post(Chain chain) {
        if (!tryPost(chain)) {
            throw new LaneFullException(this + " has no room for a chain of " + chain.size()
                    + " requests: with those outstanding they exceed its depth of " + depth());
        }
    }

    /**
     * Replaces the contents of {@code into} by completions that have not been polled before, in the order of this lane;
     * none if there are none. Never waits. A signalled request completes once; an unsignalled one only if it failed,
     * with id 0.
     *
     * @return how many there are
     * @throws IllegalStateException if the lane is closed
     */
    int poll(Completions into);

    /** Whether a request has failed on this lane, so that it takes no more until {@link #reconnect}. */
    boolean isBroken();

    /**
     * Makes a broken lane usable again, after its completions have been polled. Does nothing on a sound one.
     *
     * @throws NodeLostException if the Memory Node is gone
     * @throws IllegalStateException if completions are still waiting to be polled, or the lane is closed
     */
    void reconnect();
}
