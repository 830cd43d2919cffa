// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.config.LanePolicy;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.Dequeued;
import dev.remus.structures.ScalableQueue;
import dev.remus.structures.TurnRing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;

/**
 * The limits of a {@link ScalableQueue}, and what it costs. First one thread alone uses a queue that another one has
 * just made: operations take the round trips that the class promises, and attempts in vain change nothing. Then a
 * thread waits, for an item or for room, neither of which comes for long: it must keep its place. Or it waits for an
 * item behind a thread that stops in the middle of an enqueue: it must overtake that.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param capacity the number of items that have room
 */
public record ScalableEdgesScenario(int capacity) implements Scenario {
    private static final int THREADS = 4;
    private static final int MAX_LANES = 4;

    /** Attempts in vain would make cells late at once, as 63 times as many do in queues that are not for tests. */
    private static final int AHEAD_BITS = 1;

    private static final long TURN = 5;
    private static final long ITEM = 1_000_000;
    private static final int LAPS_IN_VAIN = 3;
    private static final int MOST_AT_ONCE = 16;

    /** More round trips than any of these operations takes. */
    private static final long MANY = 1_000_000;

    private static final int WAITER = 0;
    private static final int USER = 1;
    private static final int OTHER = 2;

    /** The other thread does nothing for so long, while the waiter looks again and again. */
    private static final int PAUSES = 60;

    private static final int MOST_PAUSES = 20;

    private static final long PAUSE = 1_000;
    private static final int WAITS_OF_AN_ENQUEUE = 4;
    private static final long QUIET_NANOS = 3_000_000_000L;

    /** What the waiter waits for. */
    private enum Wait {
        ITEM,
        ROOM,
        /** For an item, and the user stops in the middle of an enqueue. */
        ITEM_BEHIND_A_STOPPED_THREAD
    }

    /** Rejects parameters that cannot be run. */
    public ScalableEdgesScenario {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity " + capacity + ": needs room for one item");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        Wait wait = Wait.values()[random.nextInt(Wait.values().length)];
        Strike[] strikes = wait == Wait.ITEM_BEHIND_A_STOPPED_THREAD
                ? new Strike[] {new Strike(Fault.STOPPED_THREADS, USER, 1 + random.nextInt(WAITS_OF_AN_ENQUEUE))}
                : new Strike[0];
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(THREADS)
                        .lanes(1 + random.nextInt(MAX_LANES))
                        .lanePolicy(random.nextBoolean() ? LanePolicy.RAND : LanePolicy.RR)
                        .checkMemory(false) // the checks take round trips
                        .build(),
                schedule.withFaults(Set.of()).withStrikes(strikes));
        cluster.simulator().quietAfter(QUIET_NANOS);
        Run run = new Run(wait, random.nextInt(MOST_PAUSES));
        cluster.prepared(run::prepare).run(run::work);
        for (int thread = 0; thread < THREADS; thread++) {
            if (!run.ended.contains(thread) && !cluster.stoppedThreads().contains(thread)) {
                throw new AssertionError("thread " + thread + " waits for ever for " + wait);
            }
        }
    }

    /** One run. */
    private final class Run {
        private final Wait wait;
        private final int pausesBehind;

        /** Found here as soon as it is made: nothing but {@link ScalableQueue#create} has placed what it wrote. */
        private final List<RdmaPtr<TurnRing>> made = new ArrayList<>();

        private final Map<Integer, ScalableQueue<Long>> handles = new HashMap<>();
        private final List<ComputeThread> waiter = new ArrayList<>();
        private long atomicsOfWaiter;
        private final Set<Integer> ended = new TreeSet<>();

        /** @param pausesBehind so often the other thread pauses before it enqueues behind one that stops */
        Run(Wait wait, int pausesBehind) {
            this.wait = wait;
            this.pausesBehind = pausesBehind;
        }

        void prepare(ComputeThread ct) {
            if (ct.id() == OTHER) {
                made.add(ScalableQueue.create(capacity, Codecs.LONG, TURN, AHEAD_BITS, ct));
            } else if (ct.id() == USER) {
                while (made.isEmpty()) {
                    ct.pause();
                }
                new Alone(open(ct), ct).use();
            }
            ct.barrier();
            ScalableQueue<Long> queue = open(ct);
            handles.put(ct.id(), queue);
            if (ct.id() == WAITER) { // from now on it has a free block
                queue.enqueue(0L, ct);
                queue.dequeue(ct);
            }
            ct.barrier();
            if (ct.id() == USER && wait == Wait.ROOM) {
                for (long i = 0; i < capacity; i++) {
                    queue.enqueue(i, ct);
                }
            }
        }

        private ScalableQueue<Long> open(ComputeThread ct) {
            return new ScalableQueue<>(made.get(0), Codecs.LONG, ct);
        }

        void work(ComputeThread ct) {
            ScalableQueue<Long> queue = Objects.requireNonNull(handles.get(ct.id()), "prepared");
            switch (ct.id()) {
                case WAITER -> await(queue, ct);
                case USER -> {
                    if (wait == Wait.ITEM_BEHIND_A_STOPPED_THREAD) {
                        queue.enqueue(ITEM, ct);
                    }
                }
                case OTHER -> endTheWait(queue, ct);
                default -> {}
            }
            ended.add(ct.id());
        }

        private void await(ScalableQueue<Long> queue, ComputeThread ct) {
            atomicsOfWaiter = atomics(ct);
            waiter.add(ct);
            if (wait == Wait.ROOM) {
                queue.enqueue(ITEM, ct);
            } else {
                long item = queue.dequeue(ct);
                check(item == ITEM, "got item " + item, ct);
            }
        }

        private void endTheWait(ScalableQueue<Long> queue, ComputeThread ct) {
            if (wait == Wait.ITEM_BEHIND_A_STOPPED_THREAD) {
                pause(pausesBehind, ct);
                queue.enqueue(ITEM, ct);
                return;
            }
            while (waiter.isEmpty()) {
                ct.pause();
            }
            pause(PAUSES, ct);
            long changes = atomics(waiter.get(0)) - atomicsOfWaiter;
            check(changes <= 1, "saw " + changes + " atomics of a thread that waits, and has one place", ct);
            if (wait == Wait.ROOM) {
                queue.dequeue(ct);
            } else {
                queue.enqueue(ITEM, ct);
            }
        }

        private static long atomics(ComputeThread ct) {
            return ct.metrics().fetchAndAdds() + ct.metrics().compareAndSwaps();
        }

        private static void pause(int times, ComputeThread ct) {
            for (int i = 0; i < times; i++) {
                ct.pause(PAUSE);
            }
        }
    }

    /** One thread alone. */
    private final class Alone {
        private final ScalableQueue<Long> queue;
        private final ComputeThread ct;
        private final List<Long> items;
        private final int cells = 2 * capacity + THREADS;

        Alone(ScalableQueue<Long> queue, ComputeThread ct) {
            this.queue = queue;
            this.ct = ct;
            this.items = LongStream.range(0, capacity).boxed().toList();
        }

        void use() {
            oneByOne(MANY); // afterwards it has free blocks for all items
            for (int used = 0; used < 2 * cells; used += 2 * capacity) {
                oneByOne(1);
                inBatches();
            }
            fill();
            for (int i = 0; i < LAPS_IN_VAIN * cells; i++) {
                check(!queue.tryEnqueue(ITEM, ct), "found room in a full queue", ct);
            }
            take(0);
            check(queue.tryEnqueue(ITEM, ct), "found no room when an item had been taken, after attempts in vain", ct);
            for (long i = 1; i < capacity; i++) {
                take(i);
            }
            take(ITEM);
            for (int i = 0; i < LAPS_IN_VAIN * cells; i++) {
                within(1, "EMPTY", this::beEmpty);
            }
        }

        /** @param excess so many more round trips than these operations take at least may each of them take */
        private void oneByOne(long excess) {
            within(2L * capacity + excess, "one by one, enqueues", this::fill);
            within(4 + excess, "FULL", () -> check(!queue.tryEnqueue(ITEM, ct), "found room in a full queue", ct));
            within(3L * capacity + excess, "one by one, dequeues", () -> items.forEach(this::take));
            within(excess, "EMPTY", this::beEmpty);
        }

        private void inBatches() {
            int batch = Math.min(capacity, MOST_AT_ONCE);
            List<Long> some = items.subList(0, batch);
            within(3, "enqueueAll", () -> queue.enqueueAll(some, ct));
            within(4, "tryDequeueAll", () -> {
                List<Long> taken = queue.tryDequeueAll(batch, ct);
                check(taken.equals(some), "got the items " + taken, ct);
            });
        }

        private void fill() {
            for (long item : items) {
                check(queue.tryEnqueue(item, ct), "found no room for item " + item, ct);
            }
        }

        private void take(long item) {
            Dequeued<Long> taken = queue.tryDequeue(ct);
            check(taken.equals(Dequeued.of(item)), "got " + taken + " instead of item " + item, ct);
        }

        private void beEmpty() {
            Dequeued<Long> nothing = queue.tryDequeue(ct);
            check(nothing.equals(Dequeued.empty()), "got " + nothing + " from an empty queue", ct);
        }

        private void within(long most, String what, Runnable operations) {
            long before = ct.metrics().roundTrips();
            operations.run();
            long took = ct.metrics().roundTrips() - before;
            check(took <= most, "took " + took + " round trips, not " + most + " at most: " + what, ct);
        }
    }

    private void check(boolean isSo, String otherwise, ComputeThread ct) {
        if (!isSo) {
            throw new AssertionError(ct + " " + otherwise + "; the queue has room for " + capacity);
        }
    }
}
