// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.Recorder;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.simulation.scenario.NodeLosses;
import dev.remus.structures.Dequeued;
import dev.remus.structures.RemoteQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Threads use a queue with locks, each on a Compute Node of its own, and up to all nodes but one are lost meanwhile:
 * killed with late requests outstanding, or cut off as zombies. Another thread may be delayed, and lanes may break.
 * Each thread that is left must finish its operations, whatever the lost ones have locked or left half done. Then one
 * of them empties the queue. All results must be linearizable. Now each thread that is left must have room for as many
 * items as in a new queue, and all of these must be dequeued in order, again and again until all memory has been used.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param queue the operations, and the queue; its threads do not meet here
 * @param wrap replaces the fabric by one that may have a mistake
 */
public record LockQueueLossScenario(PooledQueueScenario queue, UnaryOperator<Fabric> wrap) implements Scenario {
    private static final int EARLIEST_WAITS = 40;
    private static final int LATEST_WAIT = 200;
    private static final int MOST_BREAKS = 8;

    private static final long QUIET_NANOS = 8_000_000_000L;

    /** The scenario on the fabric as it is. */
    public LockQueueLossScenario(PooledQueueScenario queue) {
        this(queue, fabric -> fabric);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        int survivor = random.nextInt(queue.threads());
        Schedule own = schedule.withFaults(Set.of())
                .withStrikes(strikes(survivor, random).toArray(Strike[]::new));
        SimulatedCluster cluster = new SimulatedCluster(
                        SimulatedCluster.small(queue.threads())
                                .computeNodes(2, 1 + queue.threads())
                                .threadsPerNode(1)
                                .lanes(1 + random.nextInt(2))
                                .onNodeLoss(OnNodeLoss.CONTINUE)
                                .lossTimeout(NodeLosses.TIMEOUT)
                                .build(),
                        own)
                .over(wrap);
        cluster.simulator().quietAfter(QUIET_NANOS);
        Run run = new Run(cluster, own, survivor);
        cluster.prepared(queue::createQueue).run(run::work);
        run.judge();
    }

    private List<Strike> strikes(int survivor, SplittableRandom random) {
        int first = (survivor + 1 + random.nextInt(queue.threads() - 1)) % queue.threads();
        List<Strike> strikes = new ArrayList<>();
        for (int thread = 0; thread < queue.threads(); thread++) {
            int last = 1 + random.nextInt(random.nextBoolean() ? EARLIEST_WAITS : LATEST_WAIT);
            if (thread == first || thread != survivor && random.nextInt(3) == 0) {
                NodeLosses.add(thread, last, strikes, random);
            } else if (random.nextInt(queue.threads()) == 0) {
                strikes.add(new Strike(Fault.PAUSED_THREADS, thread, last));
            }
        }
        for (int breaks = random.nextInt(2) * random.nextInt(MOST_BREAKS); breaks > 0; breaks--) {
            int thread = random.nextInt(queue.threads());
            strikes.add(new Strike(Fault.BROKEN_LANES, thread, 1 + random.nextInt(LATEST_WAIT)));
        }
        return strikes;
    }

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private final class Run {
        private final SimulatedCluster cluster;
        private final Schedule schedule;
        private final int survivor;
        private final Recorder<QueueOperation<Long>, QueueResult<Long>> recorder = new Recorder<>();

        /** The threads that were declared lost, although they went on. */
        private final Set<Integer> zombies = new TreeSet<>();

        private final Set<Integer> ended = new TreeSet<>();

        /** The number of times that each thread has filled its part of the queue. */
        private final int[] filled = new int[queue.threads()];

        /** The number of times that the survivor has emptied the queue. */
        private int emptied;

        Run(SimulatedCluster cluster, Schedule schedule, int survivor) {
            this.cluster = cluster;
            this.schedule = schedule;
            this.survivor = survivor;
        }

        void work(ComputeThread ct) {
            try {
                RemoteQueue<Long> handle =
                        queue.operate(schedule.choices(ct.id()), recorder, new TreeSet<>(), schedule, ct);
                ended.add(ct.id());
                if (ct.id() == survivor) {
                    awaitAll(ended::contains, ct);
                    PooledQueueScenario.takeAll(handle, recorder, ct);
                    emptied++;
                }
                for (int round = 1; round <= rounds(); round++) {
                    while (emptied < round) {
                        ct.pause();
                    }
                    fill(handle, ct);
                    filled[ct.id()] = round;
                    if (ct.id() == survivor) {
                        awaitAll(thread -> filled[thread] == emptied, ct);
                        empty(handle, ct);
                        emptied++;
                    }
                }
                if (ct.id() == survivor) {
                    handle.destroy(ct);
                }
            } catch (FabricException e) {
                if (!isStruck(Fault.LOST_LINKS, ct.id())) {
                    throw new AssertionError("thread " + ct.id() + " cannot go on, after " + cluster.struck(), e);
                }
                zombies.add(ct.id());
                throw e;
            }
        }

        /** In so many, each cell of a thread is used again. */
        private int rounds() {
            return queue.capacity() + 1;
        }

        private boolean isStruck(Fault fault, int thread) {
            return cluster.struck().stream().anyMatch(s -> s.fault() == fault && s.thread() == thread);
        }

        private boolean isGone(int thread) {
            return zombies.contains(thread) || cluster.stoppedThreads().contains(thread);
        }

        private void awaitAll(IntPredicate isReady, ComputeThread ct) {
            while (!IntStream.range(0, queue.threads()).allMatch(thread -> isReady.test(thread) || isGone(thread))) {
                ct.pause();
            }
        }

        private long item(int thread, int i) {
            return -1L - thread - (long) i * queue.threads();
        }

        private void fill(RemoteQueue<Long> handle, ComputeThread ct) {
            for (int i = 0; i < queue.capacity(); i++) {
                if (!handle.tryEnqueue(item(ct.id(), i), ct)) {
                    throw new AssertionError("the queue is empty but for " + i + " items of thread " + ct.id()
                            + ", which has no room, after " + cluster.struck());
                }
            }
            if (handle.tryEnqueue(0L, ct)) {
                throw new AssertionError("thread " + ct.id() + " has room for too many items");
            }
        }

        /** Takes what threads have filled in; a thread that was lost meanwhile may have filled in less. */
        private void empty(RemoteQueue<Long> handle, ComputeThread ct) {
            int[] taken = new int[queue.threads()];
            for (Dequeued<Long> next = handle.tryDequeue(ct); next.isItem(); next = handle.tryDequeue(ct)) {
                int thread = Math.floorMod(-1 - next.item(), queue.threads());
                if (next.item() != item(thread, taken[thread])) {
                    throw new AssertionError("item " + next.item() + " of thread " + thread + " is dequeued after "
                            + taken[thread] + " others of it, after " + cluster.struck());
                }
                taken[thread]++;
            }
            for (int thread = 0; thread < taken.length; thread++) {
                if (taken[thread] < queue.capacity() && !isGone(thread)) {
                    throw new AssertionError("thread " + thread + " enqueued " + queue.capacity() + " items, of which "
                            + taken[thread] + " are in the queue, after " + cluster.struck());
                }
            }
        }

        void judge() {
            for (int thread = 0; thread < queue.threads(); thread++) {
                if (filled[thread] < rounds() && !isGone(thread)) {
                    throw new AssertionError("thread " + thread + " waits for ever, after " + cluster.struck());
                }
            }
            if (emptied <= rounds()) {
                throw new AssertionError("thread " + survivor + " cannot empty the queue, after " + cluster.struck());
            }
            queue.judge(recorder.history(), zombies);
        }
    }
}
