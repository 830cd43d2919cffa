// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.Reclamation;
import dev.remus.fabric.sim.ExhaustiveSearch;
import dev.remus.memory.InvalidPointerException;
import dev.remus.memory.MixedAccessException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A register at the root: thread 0 replaces its block, thread 1 reads it. A block that is freed too early is reported
 * in some schedule, one that is retired in none.
 */
@Tag("any-jdk")
@Timeout(120)
class UseAfterFreeSchedulesTest {
    private static final int SCHEDULES = 300;
    private static final int ROUNDS = 3;

    private interface Release {
        void of(long block, ComputeThread ct);
    }

    private static void replace(Release release, ComputeThread ct) {
        for (int i = 0; i < ROUNDS; i++) {
            long next = ct.allocate(64);
            ct.write(next, ct.id());
            RdmaPtr<?> last = ct.root().getAndSet(new RdmaPtr<>(next));
            if (!last.isNull()) {
                release.of(last.raw(), ct);
            }
            ct.quiescent();
        }
    }

    private static void read(ComputeThread ct) {
        for (int i = 0; i < ROUNDS; i++) {
            RdmaPtr<?> block = ct.root().get();
            if (!block.isNull()) {
                ct.read(block.raw());
            }
            ct.quiescent();
        }
    }

    private static void run(Release release, Schedule schedule) throws Exception {
        new SimulatedCluster(
                        SimulatedCluster.small(2).reclaim(Reclamation.EPOCHS).build(), schedule)
                .run(ct -> {
                    if (ct.id() == 0) {
                        replace(release, ct);
                    } else {
                        read(ct);
                    }
                });
    }

    @Test
    void aBlockThatIsFreedUnderAReaderIsReportedInSomeSchedule() throws Exception {
        for (int seed = 0; seed < SCHEDULES; seed++) {
            try {
                run((block, ct) -> ct.free(block, 64), Schedule.random(seed));
            } catch (InvalidPointerException e) {
                assertThat(e)
                        .hasMessageContaining("READ of 8 bytes")
                        .hasMessageContaining(" 64 bytes long, is free: ")
                        .hasMessageNotContaining("Compute Thread 0 of Compute Node 3");
                return;
            }
        }
        throw new AssertionError("the mistake was not found in " + SCHEDULES + " schedules");
    }

    @Test
    void aBlockThatIsRetiredUnderAReaderIsReportedInNoSchedule() throws Exception {
        for (int seed = 0; seed < SCHEDULES; seed++) {
            run((block, ct) -> ct.schedReclaim(block, 64), Schedule.random(seed));
        }
    }

    @Test
    void anExhaustiveSearchFindsThatABlockIsFreedUnderAReader() throws Exception {
        ExhaustiveSearch search = new ExhaustiveSearch();
        boolean found = false;
        while (!found && search.hasNext()) {
            try {
                new SimulatedCluster(2, Schedule.of(1, search.next()))
                        .prepared(ct -> {
                            if (ct.id() == 0) {
                                ct.root().set(new RdmaPtr<>(ct.allocate(64)));
                            }
                        })
                        .run(ct -> {
                            long block = ct.root().get().raw();
                            if (ct.id() == 0) {
                                ct.free(block, 64);
                            } else {
                                ct.read(block);
                            }
                        });
            } catch (InvalidPointerException e) {
                found = true;
            }
        }
        assertThat(found).isTrue();
    }

    @Test
    void aCounterThatIsResetByAWriteIsReportedWhenItWasIncrementedBefore() throws Exception {
        int found = 0;
        for (int seed = 0; seed < SCHEDULES; seed++) {
            boolean[] incremented = new boolean[1];
            try {
                new SimulatedCluster(2, Schedule.random(seed))
                        .prepared(ct -> {
                            if (ct.id() == 0) {
                                long counter = ct.allocate(64);
                                ct.write(counter, 0);
                                ct.root().set(new RdmaPtr<>(counter));
                            }
                        })
                        .run(ct -> {
                            long counter = ct.root().get().raw();
                            if (ct.id() == 0) {
                                boolean isMistake = incremented[0];
                                ct.write(counter, 0);
                                assertThat(isMistake).isFalse();
                            } else {
                                ct.fetchAndAdd(counter, 1);
                                incremented[0] = true;
                            }
                        });
            } catch (MixedAccessException e) {
                found++;
            }
        }
        assertThat(found).isBetween(1, SCHEDULES - 1);
    }
}
