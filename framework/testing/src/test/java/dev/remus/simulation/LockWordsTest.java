// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.LockWords;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks of one word, while lanes break. */
@Tag("any-jdk")
class LockWordsTest {
    private static final int THREADS = 4;
    private static final int HOLDINGS = 5;
    private static final int SCHEDULES = 200;
    private static final int LATEST_BREAK = 30;

    @Test
    void aMarkNamesItsThreadAndIsNotUsedAgain() throws Exception {
        new SimulatedCluster(THREADS, Schedule.random(1)).run(ct -> {
            long first = ct.lockWords().newMark();
            long second = ct.lockWords().newMark();
            assertThat(LockWords.holder(first)).isEqualTo(ct.id());
            assertThat(LockWords.holder(second)).isEqualTo(ct.id());
            assertThat(second).isNotEqualTo(first);
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void lanesThatBreakNeitherLeaveALockTakenNorGiveItToTwo(boolean isPosted) throws Exception {
        int breaks = 0;
        for (int seed = 1; seed <= SCHEDULES; seed++) {
            breaks += run(Schedule.random(seed), isPosted);
        }
        assertThat(breaks).isGreaterThan(SCHEDULES);
    }

    /** Lets all threads take one lock several times; returns how often lanes broke. */
    private static int run(Schedule schedule, boolean isPosted) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        Strike[] strikes = IntStream.range(0, 4)
                .mapToObj(
                        i -> new Strike(Fault.BROKEN_LANES, random.nextInt(THREADS), 1 + random.nextInt(LATEST_BREAK)))
                .toArray(Strike[]::new);
        int nodes = random.nextBoolean() ? THREADS : THREADS / 2;
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(THREADS)
                        .computeNodes(2, 1 + nodes)
                        .threadsPerNode(THREADS / nodes)
                        .lanes(1 + random.nextInt(3))
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .build(),
                schedule.withFaults(Set.of()).withStrikes(strikes));
        int[] inside = {0};
        int[] holdings = {0};
        cluster.prepared(ct -> {
                    if (ct.id() == 0) {
                        long lock = ct.allocate(Long.BYTES);
                        ct.write(lock, LockWords.FREE);
                        ct.root().set(new RdmaPtr<>(lock));
                    }
                })
                .concluded(ct -> assertThat(ct.read(ct.root().get().raw())).isEqualTo(LockWords.FREE))
                .run(ct -> {
                    long lock = ct.root().get().raw();
                    int mine = 0;
                    while (mine < HOLDINGS || cluster.struck().size() < strikes.length && mine < 40) {
                        long mark = acquire(lock, ct);
                        assertThat(++inside[0]).isEqualTo(1);
                        ct.read(lock); // a moment in which another thread could come in
                        inside[0]--;
                        mine++;
                        holdings[0]++;
                        if (isPosted) {
                            ct.lockWords().postRelease(lock, mark);
                        } else {
                            ct.lockWords().release(lock, mark);
                        }
                    }
                });
        assertThat(holdings[0]).as("all threads finish, with " + schedule).isGreaterThanOrEqualTo(THREADS * HOLDINGS);
        return cluster.struck().size();
    }

    private static long acquire(long lock, ComputeThread ct) {
        long mark = ct.lockWords().newMark();
        while (true) {
            try {
                if (ct.lockWords().tryAcquire(lock, mark) == LockWords.FREE) {
                    return mark;
                }
                ct.place(); // if this thread has released it, on a lane that is behind
            } catch (OutcomeUnknownException e) {
                mark = ct.lockWords().newMark();
            }
            ct.pause();
        }
    }
}
