// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.CostModel;
import dev.remus.fabric.LocalCost;
import dev.remus.fabric.Operation;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.RemoteFuture;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** With a cost model a completion arrives after the whole latency, whatever its thread does meanwhile. */
class CompletionArrivalTest {
    private static final long LATENCY = 10_000;

    /** The time of a few readings of the clock. */
    private static final long CLOCK = 200;

    private interface Work {
        void run(long word, ComputeThread ct);
    }

    /** What a thread does that is alone, on hardware that is never busy. */
    private static void alone(Work work) throws Exception {
        ClusterConfig config = SimulatedCluster.small(2).checkMemory(false).build();
        Schedule schedule = new Schedule(1, new RandomScheduler(1), Set.of(), Set.of())
                .observedBy(simulator -> simulator.costs(CostModel.ofLatency("10 µs", LATENCY)));
        new SimulatedCluster(config, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        long word = ct.allocate(Long.BYTES);
                        ct.write(word, 1);
                        ct.root().set(new RdmaPtr<>(word));
                    }
                })
                .run(ct -> {
                    if (ct.id() == 0) {
                        work.run(ct.root().get().raw(), ct);
                    }
                });
    }

    private static void compute(long nanos, ComputeThread ct) {
        long end = ct.nanoTime() + nanos;
        while (ct.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    private static void assertTook(long nanos, long start, ComputeThread ct) {
        assertThat(ct.nanoTime() - start).isBetween(nanos, nanos + CLOCK);
    }

    @Test
    void aThreadThatPollsFindsItsReadDoneAfterTheWholeLatency() throws Exception {
        alone((word, ct) -> {
            long start = ct.nanoTime();
            RemoteFuture read = ct.async().read(word);
            while (!read.isDone()) {
                compute(CLOCK / 2, ct);
            }
            assertTook(LATENCY, start, ct);
        });
    }

    @Test
    void aThreadThatHasComputedWaitsForTheRestOfTheLatency() throws Exception {
        alone((word, ct) -> {
            for (long computed = 1_000; computed < LATENCY; computed += 1_500) {
                long start = ct.nanoTime();
                RemoteFuture read = ct.async().read(word);
                compute(computed, ct);
                read.await();
                assertTook(LATENCY, start, ct);
            }
        });
    }

    @Test
    void aPauseLastsItsTimeWhateverIsInFlight() throws Exception {
        alone((word, ct) -> {
            for (long pause = 1_000; pause < 2 * LATENCY; pause += 1_500) {
                long start = ct.nanoTime();
                RemoteFuture read = ct.async().read(word);
                ct.pause(pause);
                assertTook(pause, start, ct);
                read.await();
                assertTook(Math.max(pause, LATENCY), start, ct);
            }
        });
    }

    @Test
    void aWaitWithALimitEndsAtTheLimitIfTheCompletionIsOnItsWay() throws Exception {
        alone((word, ct) -> {
            long limit = LATENCY * 3 / 4;
            long start = ct.nanoTime();
            RemoteFuture read = ct.async().read(word);
            assertThat(read.tryAwait(limit)).isFalse();
            assertTook(limit, start, ct);
            assertThat(read.tryAwait(LATENCY)).isTrue();
            assertTook(LATENCY, start, ct);
        });
    }

    @Test
    void eachOfTwoReadsTakesTheWholeLatency() throws Exception {
        alone((word, ct) -> {
            long start = ct.nanoTime();
            RemoteFuture first = ct.async().read(word);
            compute(LATENCY / 4, ct);
            long second = ct.nanoTime();
            RemoteFuture other = ct.async().read(word);
            first.await();
            assertTook(LATENCY, start, ct);
            assertThat(other.isDone()).isFalse();
            other.await();
            assertTook(LATENCY, second, ct);
        });
    }

    @Test
    void aCompletionOvertakesAnotherOfItsLaneOnlyWithoutACard() {
        Timing timing = new Timing(new CostModel("test", 1000, 1000, 3000, 0, 0, 0, Long.MAX_VALUE)
                .withLocal(new LocalCost(30, 30, 70, 0)));
        long atomic = timing.arrival(Operation.FETCH_AND_ADD, 0, 1, 0, 0);
        assertThat(atomic).isEqualTo(1500);
        assertThat(timing.arrival(Operation.READ, 0, 1, 100, atomic)).isEqualTo(1500);
        assertThat(timing.arrival(Operation.READ, 0, 1, 1200, atomic)).isEqualTo(1700);
        long local = timing.arrival(Operation.FETCH_AND_ADD, 0, 0, 0, 0);
        assertThat(local).isEqualTo(35);
        assertThat(timing.arrival(Operation.READ, 0, 0, 10, local)).isEqualTo(25);
    }

    @Test
    void arrivalsAreFoundInTheOrderAppended() {
        Arrivals arrivals = new Arrivals();
        List.of(30L, 10L, 50L).forEach(arrivals::append);
        assertThat(List.of(9L, 10L, 49L, 50L)).extracting(arrivals::count).containsExactly(0, 2, 2, 3);
    }

    @Test
    void insertedArrivalsAreSorted() {
        Arrivals arrivals = new Arrivals();
        assertThat(List.of(arrivals.first(), arrivals.last())).containsExactly(Long.MAX_VALUE, 0L);
        List.of(30L, 10L, 50L, 20L, 40L).forEach(arrivals::insert);
        List<Long> removed = new ArrayList<>();
        while (arrivals.first() < Long.MAX_VALUE) {
            assertThat(arrivals.last()).isEqualTo(50);
            removed.add(arrivals.first());
            arrivals.remove(arrivals.count(arrivals.first()));
        }
        assertThat(removed).containsExactly(10L, 20L, 30L, 40L, 50L);
        assertThat(arrivals.remove(3)).isEqualTo(3);
    }
}
