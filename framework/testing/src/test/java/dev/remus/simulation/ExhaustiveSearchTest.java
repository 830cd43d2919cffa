// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.check.History;
import dev.remus.check.Invocation;
import dev.remus.check.Recorder;
import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.fabric.Environment;
import dev.remus.fabric.sim.ExhaustiveSearch;
import dev.remus.fabric.sim.Simulator;
import dev.remus.fabric.sim.Weakness;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("any-jdk")
class ExhaustiveSearchTest {
    private static final ClusterConfig CONFIG = ClusterConfig.builder()
            .cluster("exhaustive")
            .memoryNodes(0, 0)
            .computeNodes(1, 2)
            .segmentSizeLog2(12)
            .reclaim(Reclamation.BARRIER)
            .build();

    private static void setUp(ComputeThread ct) {
        if (ct.id() == 0) {
            long block = ct.allocate(64);
            ct.write(block, 0);
            ct.root().set(new RdmaPtr<>(block));
        }
    }

    // ------------------------------------------------------------------------------------------ counting

    /** Runs two threads of so many steps each, and returns one letter for each step. */
    private static String run(ExhaustiveSearch search, int steps) {
        StringBuilder order = new StringBuilder();
        Simulator simulator = new Simulator(0, search.next(), Set.of());
        simulator.run(() -> {
            Environment.Task[] threads = new Environment.Task[2];
            for (int i = 0; i < threads.length; i++) {
                int number = i;
                threads[i] = simulator.start("thread-" + i, false, () -> {
                    simulator.expose(number);
                    for (int step = 0; step < steps; step++) {
                        simulator.nanoTime(); // here the other thread may go on
                        order.append((char) ('a' + number));
                    }
                    simulator.shelter();
                });
            }
            try {
                threads[0].join();
                threads[1].join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        return order.toString();
    }

    /** Counts the orders in which two threads can do their steps; {@code last} is the thread that did the last one. */
    private static int orders(int a, int b, char last, int preemptions) {
        if (a + b == 0) {
            return 1;
        }
        int count = 0;
        if (a > 0) {
            int left = preemptions - (last == 'b' && b > 0 ? 1 : 0);
            count += left < 0 ? 0 : orders(a - 1, b, 'a', left);
        }
        if (b > 0) {
            int left = preemptions - (last == 'a' && a > 0 ? 1 : 0);
            count += left < 0 ? 0 : orders(a, b - 1, 'b', left);
        }
        return count;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 100})
    void everyScheduleWithinTheBoundIsRunOnce(int preemptions) {
        int steps = 4;
        Set<String> seen = new HashSet<>();
        ExhaustiveSearch search = new ExhaustiveSearch(preemptions);
        while (search.hasNext()) {
            assertThat(seen.add(run(search, steps))).isTrue();
        }
        assertThat(seen).hasSize(orders(steps, steps, ' ', preemptions));
        assertThat(search.runs()).isEqualTo(seen.size());
        assertThat(orders(steps, steps, ' ', 100)).isEqualTo(70); // 8 over 4
        assertThatThrownBy(search::next).isInstanceOf(NoSuchElementException.class);
    }

    // ------------------------------------------------------------------------------------------ finding

    /** Whether a thread that reads twice can see 0 and then the 1 that another thread writes and takes back. */
    private static boolean seesTheOneInBetween(int preemptions) throws Exception {
        boolean[] seen = {false};
        ExhaustiveSearch search = new ExhaustiveSearch(preemptions);
        while (search.hasNext()) {
            Schedule schedule = Schedule.of(0, search.next()).withWeaknesses(Set.of());
            new SimulatedCluster(CONFIG, schedule)
                    .prepared(ExhaustiveSearchTest::setUp)
                    .run(ct -> {
                        long word = ct.root().get().raw();
                        if (ct.id() == 0) {
                            ct.write(word, 1);
                            ct.write(word, 0);
                        } else {
                            long first = ct.read(word);
                            long second = ct.read(word);
                            seen[0] |= first == 0 && second == 1;
                        }
                    });
        }
        return seen[0];
    }

    @Test
    void aBugThatNeedsTwoPreemptionsIsFoundWithTwoAndNotWithOne() throws Exception {
        assertThat(seesTheOneInBetween(1)).isFalse();
        assertThat(seesTheOneInBetween(2)).isTrue();
    }

    @Test
    void weaknessesOfMemoryAreTriedWithoutAPreemption() throws Exception {
        Set<Long> seen = new HashSet<>();
        ExhaustiveSearch search = new ExhaustiveSearch(0);
        while (search.hasNext()) {
            Schedule schedule = Schedule.of(0, search.next()).withWeaknesses(EnumSet.of(Weakness.UNPLACED_WRITES));
            new SimulatedCluster(CONFIG, schedule)
                    .prepared(ExhaustiveSearchTest::setUp)
                    .run(ct -> {
                        long word = ct.root().get().raw();
                        if (ct.id() == 0) {
                            ct.post(word, 1);
                        } else {
                            seen.add(ct.read(word));
                        }
                    });
        }
        assertThat(seen).containsExactlyInAnyOrder(0L, 1L);
    }

    // ------------------------------------------------------------------------------------------ start skew and sleep

    /** What two threads get that add 1 and 2 to one word, in all schedules. */
    private static Set<String> additions(ExhaustiveSearch search, SimulationOfTwo each) throws Exception {
        Set<String> seen = new TreeSet<>();
        while (search.hasNext()) {
            long[] found = new long[2];
            each.run(Schedule.of(0, search.next()).withWeaknesses(Set.of()), found);
            seen.add(found[0] + " " + found[1]);
        }
        return seen;
    }

    private interface SimulationOfTwo {
        void run(Schedule schedule, long[] found) throws Exception;
    }

    @Test
    void eitherThreadMayBeTheFirstToLeaveTheBarrierOfThePreparation() throws Exception {
        assertThat(additions(
                        new ExhaustiveSearch(0),
                        (schedule, found) -> new SimulatedCluster(2, schedule)
                                .prepared(ct -> {
                                    setUp(ct);
                                    ct.barrier();
                                    ct.read(ct.root().get().raw());
                                    ct.barrier();
                                })
                                .run(ct -> found[ct.id()] =
                                        ct.fetchAndAdd(ct.root().get().raw(), 1 + ct.id()))))
                .containsExactly("0 1", "2 0");
    }

    @Test
    void eitherThreadMayBeTheFirstToLeaveABarrierOfTheBody() throws Exception {
        assertThat(additions(
                        new ExhaustiveSearch(1),
                        (schedule, found) -> new SimulatedCluster(CONFIG, schedule)
                                .prepared(ExhaustiveSearchTest::setUp)
                                .run(ct -> {
                                    ct.barrier();
                                    found[ct.id()] =
                                            ct.fetchAndAdd(ct.root().get().raw(), 1 + ct.id());
                                })))
                .containsExactly("0 1", "2 0");
    }

    // ------------------------------------------------------------------------------------------ records

    /** Which operations of two threads returned before which others were called, in all schedules. */
    private static Set<String> orders(ExhaustiveSearch search, boolean areDeclared) throws Exception {
        Set<String> seen = new TreeSet<>();
        while (search.hasNext()) {
            Recorder<Long, Long> recorder = new Recorder<>();
            Schedule schedule = Schedule.of(0, search.next()).withWeaknesses(Set.of());
            SimulatedCluster cluster = new SimulatedCluster(CONFIG, schedule);
            (areDeclared ? cluster.recordedBy(recorder) : cluster)
                    .prepared(ExhaustiveSearchTest::setUp)
                    .run(ct -> {
                        long own = ct.root().get().raw() + 8L * ct.id(); // no word of both
                        for (long i = 0; i < 2; i++) {
                            recorder.record(ct.id(), i, () -> ct.fetchAndAdd(own, 1));
                        }
                    });
            seen.add(order(recorder.history()));
        }
        return seen;
    }

    private static String order(History<Long, Long> history) {
        Set<String> pairs = new TreeSet<>();
        for (Invocation<Long, Long> a : history.invocations()) {
            for (Invocation<Long, Long> b : history.invocations()) {
                if (a.thread() != b.thread() && a.returned() < b.called()) {
                    pairs.add(a.thread() + "." + a.operation() + "<" + b.thread() + "." + b.operation());
                }
            }
        }
        return pairs.toString();
    }

    @Test
    void theOrderOfCallsAndReturnsIsKeptWhenThreadsShareOnlyARecorder() throws Exception {
        Set<String> all = orders(new ExhaustiveSearch(Integer.MAX_VALUE), false);
        ExhaustiveSearch careful = new ExhaustiveSearch();
        ExhaustiveSearch declared = new ExhaustiveSearch();
        assertThat(orders(careful, false)).isEqualTo(all).hasSizeGreaterThan(5);
        assertThat(orders(declared, true)).isEqualTo(all);
        assertThat(declared.runs()).isLessThanOrEqualTo(careful.runs());
    }
}
