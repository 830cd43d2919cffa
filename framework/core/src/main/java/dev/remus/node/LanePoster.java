// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.RemoteSequence;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Posts a thread's asynchronous operations as signalled requests on lanes, and the READs that place its WRITEs. Any
 * thread may poll a completion. The completion's epoch identifies its future by the future's slot and generation:
 *
 * <pre>
 *  epoch   31            12 11          0
 *         +----------------+-------------+
 *         | generation     | slot        |
 *         +----------------+-------------+
 * </pre>
 *
 * <p>A method that throws has released the future.
 */
final class LanePoster implements SharedLane.User {
    private static final int SLOT_BITS = 12;
    private static final int SLOTS = 1 << SLOT_BITS;

    /** So many gathered requests are started even if the thread does not wait: more would not save much. */
    private static final int MOST_GATHERED = 32;

    private final ThreadLanes lanes;
    private final FuturePool pool;
    private final LongFunction<LocalBuffer> newLocal;
    private final Runnable recordEnds;
    private final int user;
    private final Chain chain = new Chain(1);

    /** By Memory Node. */
    private final IncompleteOperations[] incomplete;

    private boolean gathers;

    /** The lanes that have requests to start, in the order posted; one may be there several times. */
    private final SharedLane[] gathered = new SharedLane[MOST_GATHERED];

    private int gatheredSize;

    /**
     * Creates it for one thread.
     *
     * @param newLocal allocates registered local memory
     * @param recordEnds records the operations that have ended, so that the pool has spare futures again
     */
    LanePoster(
            ThreadLanes lanes,
            SharedLane.Users users,
            FuturePool pool,
            IncompleteOperations[] incomplete,
            LongFunction<LocalBuffer> newLocal,
            Runnable recordEnds) {
        if (pool.size() > SLOTS) {
            throw new AssertionError(pool.size() + " futures do not fit into " + SLOT_BITS + " bits");
        }
        this.lanes = lanes;
        this.pool = pool;
        this.incomplete = incomplete;
        this.newLocal = newLocal;
        this.recordEnds = recordEnds;
        LocalBuffer words = newLocal.apply((long) pool.size() * Long.BYTES);
        for (int slot = 0; slot < pool.size(); slot++) {
            pool.get(slot).hold(words, (long) slot * Long.BYTES);
        }
        this.user = users.add(this);
    }

    /** Lets the requests that follow gather, until {@link #start}. */
    void gather() {
        gathers = true;
    }

    /** Starts the requests that have gathered. To be called before each wait. */
    void start() {
        if (gathers) {
            gathers = false;
            startGathered();
        }
    }

    private void startGathered() {
        int size = gatheredSize;
        gatheredSize = 0;
        for (int i = 0; i < size; i++) {
            if (i == 0 || gathered[i] != gathered[i - 1]) {
                gathered[i].start();
            }
        }
    }

    void read(RemoteFuture future, long pointer) {
        prepare(future);
        chain.clear()
                .read(lanes.segment(pointer), RdmaPtr.offset(pointer), future.word(), future.wordOffset(), Long.BYTES);
        post(chain, future, true);
    }

    void write(RemoteFuture future, long pointer, long value) {
        prepare(future);
        future.word().putLong(future.wordOffset(), value);
        chain.clear()
                .write(lanes.segment(pointer), RdmaPtr.offset(pointer), future.word(), future.wordOffset(), Long.BYTES);
        post(chain, future, false);
    }

    void compareAndSwap(RemoteFuture future, long pointer, long expected, long desired) {
        prepare(future);
        chain.clear()
                .compareAndSwap(
                        lanes.segment(pointer),
                        RdmaPtr.offset(pointer),
                        expected,
                        desired,
                        future.word(),
                        future.wordOffset());
        post(chain, future, true);
    }

    void fetchAndAdd(RemoteFuture future, long pointer, long delta) {
        prepare(future);
        chain.clear()
                .fetchAndAdd(
                        lanes.segment(pointer), RdmaPtr.offset(pointer), delta, future.word(), future.wordOffset());
        post(chain, future, true);
    }

    void read(RemoteFuture future, long pointer, LocalBuffer to, long toOffset, int length) {
        prepare(future);
        chain.clear().read(lanes.segment(pointer), RdmaPtr.offset(pointer), to, toOffset, length);
        post(chain, future, false);
    }

    void write(RemoteFuture future, long pointer, LocalBuffer from, long fromOffset, int length) {
        prepare(future);
        chain.clear().write(lanes.segment(pointer), RdmaPtr.offset(pointer), from, fromOffset, length);
        post(chain, future, false);
    }

    void execute(RemoteFuture future, RemoteSequence sequence) {
        prepare(future);
        try {
            post(requests(sequence), future, false);
        } finally {
            sequence.clear();
        }
    }

    /** The requests that were added to a sequence of {@link BlockingLaneOperations#newSequence}. */
    private static Chain requests(RemoteSequence sequence) {
        return ((LaneSequence) RecordedOperations.inside(sequence)).requests();
    }

    /**
     * Gives the future new memory for its result if late results of an abandoned operation may arrive in the old one.
     */
    private void prepare(RemoteFuture future) {
        if (future.givenUp) {
            future.hold(newLocal.apply(Long.BYTES), 0);
            future.givenUp = false;
        }
    }

    private void post(Chain requests, RemoteFuture future, boolean returnsWord) {
        IncompleteOperations open = incomplete[future.destination().index()];
        future.lane = lanes.pick();
        lanes.repair(future.destination().index(), future.lane);
        future.returnsWord = returnsWord;
        open.add(future);
        try {
            post(requests, future);
        } catch (RuntimeException e) {
            if (!future.isEnded()) {
                future.givenUp = true;
                future.end(CompletionStatus.FLUSHED);
            }
            open.awaited(future);
            pool.release(future);
            throw e;
        }
    }

    private void post(Chain requests, RemoteFuture future) {
        requests.signalled(id(future));
        int node = future.destination().index();
        if (!gathers) {
            lanes.post(requests, node, future.lane);
            return;
        }
        lanes.postMore(requests, node, future.lane);
        gathered[gatheredSize++] = lanes.get(node, future.lane);
        if (gatheredSize == MOST_GATHERED) {
            startGathered();
        }
    }

    private boolean tryPost(Chain requests, RemoteFuture future) {
        requests.signalled(id(future));
        return lanes.get(future.destination().index(), future.lane).tryPost(requests);
    }

    private long id(RemoteFuture future) {
        return SharedLane.id(user, future.generation << SLOT_BITS | future.slot);
    }

    @Override
    public void completed(SharedLane lane, int epoch, CompletionStatus status) {
        RemoteFuture future = pool.get(epoch & SLOTS - 1);
        if (future.generation << SLOT_BITS == (epoch & -SLOTS)) {
            future.end(status);
        }
    }

    /** Posts the READs that place the WRITEs of one Memory Node; returns whether there was room for all of them. */
    boolean postReadBacks(Destination destination) {
        IncompleteOperations open = incomplete[destination.index()];
        boolean posted = true;
        for (int lane = 0; lane < lanes.count(destination.index()); lane++) {
            if (open.needsReadBack(lane)) {
                posted &= postReadBack(destination, lane);
            }
        }
        return posted;
    }

    private boolean postReadBack(Destination destination, int lane) {
        IncompleteOperations open = incomplete[destination.index()];
        RemoteFuture future = spare();
        if (future == null) {
            return false;
        }
        prepare(future);
        future.lane = lane;
        future.writes = false;
        future.post(destination, 0);
        chain.clear()
                .read(
                        lanes.firstSegment(destination.index()),
                        SegmentHeader.MAGIC,
                        future.word(),
                        future.wordOffset(),
                        Long.BYTES);
        try {
            if (tryPost(chain, future)) {
                open.addReadBack(future);
                return true;
            }
            pool.releaseSpare(future);
            return false;
        } catch (RuntimeException e) {
            open.cannotReadBack(lane);
            future.givenUp = true;
            pool.releaseSpare(future);
            throw e;
        }
    }

    private @Nullable RemoteFuture spare() {
        RemoteFuture future = pool.takeSpare();
        if (future == null) {
            recordEnds.run();
            future = pool.takeSpare();
        }
        return future;
    }
}
