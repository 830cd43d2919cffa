// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

/**
 * Reports up to which id a thread's asynchronous operations to one Memory Node are complete; futures report them one by
 * one. Not related to {@link ComputeThread#barrier}, at which threads wait for each other.
 *
 * <pre>{@code
 * CompletionBarrier barrier = ct.async().barrier(memoryNode);
 * long last = 0;
 * for (int i = 0; i < 10; i++) {
 *     last = ct.async().write(block + 64 * i, local, 64 * i, 64).detach();
 * }
 * if (barrier.poll(last, CompletionGrade.LOCAL) < last) {   // not yet
 *     ct.async().awaitArmed();                                      // one wake-up for all ten
 * }
 * }</pre>
 *
 * <p>Operations to one Memory Node have increasing ids, whatever lanes they are posted on. A result implies nothing
 * about another Memory Node. An operation that failed does not count as complete until its failure has been reported:
 * by a call here that covers its id, in an exception that names it, or by its future.
 *
 * <p>To learn of each completion instead of the last, arm nothing and sleep in {@link AsyncOperations#awaitAny}.
 *
 * <p>After the barriers of Reliable Datagram Sockets (R. Frank, "So what is an RDS barrier good for?", rds-devel,
 * 2007). Belongs to its Compute Thread. No method allocates.
 */
public final class CompletionBarrier {
    private final AsyncEngine engine;
    private final Destination destination;

    CompletionBarrier(AsyncEngine engine, Destination destination) {
        this.engine = engine;
        this.destination = destination;
    }

    /** The Memory Node of the operations. */
    public int memoryNode() {
        return destination.memoryNode();
    }

    /** The id of the last operation that this thread posted to that Memory Node, 0 if there was none. */
    public long lastPosted() {
        return destination.lastPosted();
    }

    /**
     * The largest id up to which all operations are complete, over all lanes; 0 if there is none. Returns at once, as
     * {@link #await} does for id 0.
     *
     * @throws IllegalStateException if another thread calls it, or after its Compute Thread was closed
     */
    public long completed(CompletionGrade grade) {
        engine.checkThread();
        return engine.completed(destination, grade);
    }

    /**
     * Returns when all operations up to an id are complete. One round trip, or none if they are complete already.
     *
     * @param id the id of a posted operation; 0 to wait for nothing
     * @return the largest id up to which all operations are complete
     * @throws IllegalArgumentException if there is no such operation
     * @throws dev.remus.fabric.FabricException if one of them has failed; names its id. Each failure is reported once
     * @throws dev.remus.fabric.NodeLostException if the Memory Node is lost, or the run is over
     * @throws IllegalStateException as {@link #completed}
     */
    public long await(long id, CompletionGrade grade) {
        check(id);
        engine.count(destination, id, grade);
        long completed = awaitUntil(Backoff.FOREVER, id, grade);
        destination.unreported().reportedUpTo(id);
        return completed;
    }

    /**
     * Waits as {@link #await} does, but not for longer than a limit. A result below the id means "not yet", and the
     * call may be repeated: nothing is lost, and the wait counts once. It arms nothing.
     *
     * @param nanos how long to wait; 0 or less polls once
     * @return the largest id up to which all operations are complete
     * @throws IllegalArgumentException as {@link #await}
     * @throws dev.remus.fabric.FabricException as {@link #await}
     * @throws dev.remus.fabric.NodeLostException as {@link #await}
     * @throws IllegalStateException as {@link #completed}
     */
    public long tryAwait(long id, CompletionGrade grade, long nanos) {
        check(id);
        long completed = awaitUntil(engine.deadline(nanos), id, grade);
        if (completed >= id) {
            engine.count(destination, id, grade);
        }
        return completed;
    }

    private long awaitUntil(long deadline, long id, CompletionGrade grade) {
        return id == 0 ? engine.completed(destination, grade) : engine.await(destination, id, grade, deadline);
    }

    /**
     * Returns at once. A result below the id means "not yet", and arms the id: the next {@link
     * AsyncOperations#awaitArmed} reports this barrier once, when all operations up to the id are complete or one has
     * failed. An id that was armed before is forgotten. Id 0 arms none.
     *
     * @return the largest id up to which all operations are complete
     * @throws IllegalArgumentException as {@link #await}
     * @throws dev.remus.fabric.FabricException as {@link #await}
     * @throws IllegalStateException as {@link #completed}
     */
    public long poll(long id, CompletionGrade grade) {
        check(id);
        destination.disarm();
        long completed = engine.poll(destination, id, grade);
        if (completed < id) {
            destination.arm(id, grade);
        }
        return completed;
    }

    private void check(long id) {
        engine.checkThread();
        if (id < 0 || id > destination.lastPosted()) {
            throw new IllegalArgumentException("a completion barrier on operation " + id + " to Memory Node "
                    + destination.memoryNode() + ": this thread has posted "
                    + (destination.lastPosted() == 0 ? "none there" : "1 to " + destination.lastPosted() + " there"));
        }
    }

    @Override
    public String toString() {
        return "completion barrier to " + destination;
    }
}
