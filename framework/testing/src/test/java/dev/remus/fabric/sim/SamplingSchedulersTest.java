// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SchedulerKind;
import dev.remus.simulation.SimulatedCluster;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Partial-order sampling and the selectively uniform walk find orders that a random walk hardly ever plays. */
@Tag("any-jdk")
class SamplingSchedulersTest {
    private static final int SCHEDULES = 400;
    private static final int OPERATIONS_BEFORE = 30;
    private static final int MANY_AGENTS = 100;

    private static final ClusterConfig CONFIG = ClusterConfig.builder()
            .cluster("sampling")
            .memoryNodes(0, 0)
            .computeNodes(1, 2)
            .segmentSizeLog2(12)
            .build();

    /** Counts the schedules in which the first WRITE of a thread comes after many operations of another one. */
    private static int overtaken(SchedulerKind kind) throws Exception {
        int seen = 0;
        for (long seed = 0; seed < SCHEDULES; seed++) {
            AtomicBoolean isFirst = new AtomicBoolean();
            Schedule schedule = kind.schedule(seed).withWeaknesses(EnumSet.noneOf(Weakness.class));
            new SimulatedCluster(CONFIG, schedule)
                    .prepared(ct -> {
                        if (ct.id() == 0) {
                            long block = ct.allocate(64);
                            ct.write(block, 0);
                            ct.root().set(new RdmaPtr<>(block));
                        }
                    })
                    .run(ct -> {
                        long shared = ct.root().get().raw();
                        if (ct.id() == 1) {
                            ct.write(shared, 1);
                            return;
                        }
                        for (int i = 0; i < OPERATIONS_BEFORE; i++) {
                            ct.write(shared + 8, i);
                        }
                        isFirst.set(ct.read(shared) == 0);
                    });
            seen += isFirst.get() ? 1 : 0;
        }
        return seen;
    }

    @Test
    void aRandomWalkDoesNotDelayOneAccessForMany() throws Exception {
        assertThat(overtaken(SchedulerKind.RANDOM)).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = SchedulerKind.class,
            names = {"POS", "SURW"})
    void samplingDelaysOneAccessForManyInOneOfAHundredSchedules(SchedulerKind kind) throws Exception {
        assertThat(overtaken(kind)).isGreaterThanOrEqualTo(SCHEDULES / 100);
    }

    @ParameterizedTest
    @EnumSource(
            value = SchedulerKind.class,
            names = {"POS", "SURW"})
    void aSeedDeterminesTheRun(SchedulerKind kind) throws Exception {
        for (long seed = 0; seed < 10; seed++) {
            assertThat(traceHash(kind, seed)).isEqualTo(traceHash(kind, seed)).isNotEqualTo(traceHash(kind, seed + 1));
        }
    }

    /** A thread, which may access its own memory without a lane. */
    private static final class Accessor extends Agent {
        Accessor(int number) {
            super(number);
        }

        @Override
        boolean isAsleep() {
            return false;
        }

        @Override
        public boolean isExposed() {
            return true;
        }

        @Override
        public boolean isPartOf(Agent thread) {
            return thread == this;
        }

        @Override
        public String name() {
            return "thread " + number();
        }
    }

    @Test
    void theUniformWalkHasRoomForAnyNumberOfAgents() {
        List<Accessor> agents =
                IntStream.range(0, MANY_AGENTS).mapToObj(Accessor::new).toList();
        for (long seed = 0; seed < 20; seed++) {
            SurwScheduler scheduler = new SurwScheduler(seed);
            Agent running = agents.get(scheduler.pick(agents, null));
            for (int step = 0; step < MANY_AGENTS; step++) {
                for (long word = 0; word < 1000; word++) {
                    scheduler.accessed(word, true);
                }
                running = agents.get(scheduler.pick(agents, running));
            }
            assertThat(running).isIn(agents);
        }
    }

    private static long traceHash(SchedulerKind kind, long seed) throws Exception {
        Simulator[] observed = new Simulator[1];
        new SimulatedCluster(4, kind.schedule(seed).observedBy(simulator -> observed[0] = simulator)).run(ct -> {
            for (int i = 0; i < 5; i++) {
                ct.root().fetchAndAdd(1);
            }
        });
        return observed[0].traceHash();
    }
}
