// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.LanePolicy;
import dev.remus.fabric.LocalBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many locks and notifications of the device operations cost on a lane that one thread has for itself. */
@Timeout(120)
class LaneCostTest {
    /** An environment in which a platform thread spins until its operation has completed. */
    private static final class Spinning extends DelegateEnvironment {
        @Override
        public Pauses newPauses() {
            return new Pauses() {
                @Override
                public boolean spin(int attempt) {
                    Thread.onSpinWait();
                    return true;
                }

                @Override
                public void pause(int attempt, long nanos) {
                    Thread.yield();
                }
            };
        }
    }

    private final LaneFabric fabric = LaneFabric.counted(128, new Spinning());
    private TestCluster cluster;
    private ComputeThread ct;
    private CountedLane lane;
    private long words;

    /** Thread 1 of 2: the node's own operations use the lane of thread 0. */
    @BeforeEach
    void start() throws Exception {
        cluster = TestCluster.of(
                        TestCluster.config(1, 1, 2)
                                .lanes(2)
                                .lanePolicy(LanePolicy.MOD)
                                .opsPerThread(64)
                                .build(),
                        fabric)
                .start();
        ct = cluster.computeNode(1).openThread(1);
        lane = fabric.counted(1, 0, 1);
        words = ct.allocate(512);
    }

    @AfterEach
    void close() throws Exception {
        cluster.close();
    }

    private int locksOf(Runnable operation) {
        int before = lane.locks();
        operation.run();
        return lane.locks() - before;
    }

    private int doorbellsOf(Runnable operations) {
        int before = lane.doorbells();
        operations.run();
        return lane.doorbells() - before;
    }

    @Test
    void aBlockingOperationTakesOneLock() {
        LocalBuffer local = ct.allocateLocal(64);
        for (int i = 0; i < 100; i++) {
            long now = i;
            assertThat(locksOf(() -> ct.write(words, now))).isOne();
            assertThat(locksOf(() -> ct.read(words))).isOne();
            assertThat(locksOf(() -> ct.compareAndSwap(words, now, now))).isOne();
            assertThat(locksOf(() -> ct.fetchAndAdd(words, 0))).isOne();
            assertThat(locksOf(() -> ct.read(words, local, 0, 64))).isOne();
            assertThat(locksOf(() -> ct.write(words, local, 0, 64))).isOne();
        }
    }

    @Test
    void aPostedWriteTakesOneLock() {
        for (int i = 0; i < 60; i++) {
            assertThat(locksOf(() -> ct.post(words, 1))).isOne();
        }
        ct.place();
    }

    @Test
    void aThreadThatAsksForTheLockGetsItFromAThreadThatSpins() throws Exception {
        lane.weak().hold(true);
        CompletableFuture<Void> watcher = CompletableFuture.runAsync(() -> {
            lane.lock().orElseThrow().lock();
            lane.weak().hold(false); // only then can the operation end
            lane.lock().orElseThrow().unlock();
        });
        assertThat(ct.fetchAndAdd(words, 1)).isZero();
        watcher.get(60, TimeUnit.SECONDS);
    }

    @Test
    void aBlockingOperationRingsOneDoorbell() {
        assertThat(doorbellsOf(() -> ct.write(words, 1))).isOne();
        assertThat(doorbellsOf(() -> ct.read(words))).isOne();
    }

    @Test
    void aSequenceRingsOneDoorbell() {
        LocalBuffer local = ct.allocateLocal(64);
        Sequence sequence = ct.sequence();
        assertThat(doorbellsOf(() -> {
                    for (int i = 0; i < 8; i++) {
                        sequence.write(words + 8L * i, local, 8L * i, 8);
                    }
                    sequence.execute();
                }))
                .isOne();
    }

    private List<RemoteFuture> postAdditions(int number) {
        List<RemoteFuture> futures = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            futures.add(ct.async().fetchAndAdd(words, 1));
        }
        return futures;
    }

    private void assertAdded(List<RemoteFuture> futures) {
        for (int i = 0; i < futures.size(); i++) {
            assertThat(futures.get(i).await()).isEqualTo(i);
        }
    }

    @Test
    void operationsThatHaveGatheredRingOneDoorbellWhenTheThreadWaits() {
        ct.async().gather();
        List<RemoteFuture> futures = new ArrayList<>();
        assertThat(doorbellsOf(() -> futures.addAll(postAdditions(16)))).isZero();
        assertThat(doorbellsOf(() -> assertAdded(futures))).isOne();
        assertThat(doorbellsOf(() -> postAdditions(3).forEach(RemoteFuture::await)))
                .as("the wait has ended the gathering")
                .isEqualTo(3);
    }

    @Test
    void atMostThirtyTwoOperationsGather() {
        ct.async().gather();
        List<RemoteFuture> futures = new ArrayList<>();
        assertThat(doorbellsOf(() -> futures.addAll(postAdditions(63)))).isOne();
        assertThat(doorbellsOf(() -> assertAdded(futures))).isOne();
    }

    @Test
    void aBlockingOperationStartsWhatHasGathered() {
        ct.async().gather();
        RemoteFuture added = ct.async().fetchAndAdd(words, 1);
        assertThat(doorbellsOf(() -> ct.read(words + 8))).isEqualTo(2);
        assertThat(added.await()).isZero();
    }

    @Test
    void askingWhetherAnOperationHasEndedStartsWhatHasGathered() {
        ct.async().gather();
        RemoteFuture added = ct.async().fetchAndAdd(words, 1);
        while (!added.isDone()) {
            Thread.onSpinWait();
        }
        assertThat(added.await()).isZero();
    }

    @Test
    void awaitAllPlacesWritesThatHaveGathered() {
        ct.async().gather();
        for (int i = 0; i < 16; i++) {
            ct.async().write(words + 8L * i, i).detach();
        }
        assertThat(doorbellsOf(ct.async()::awaitAll)).isLessThanOrEqualTo(2);
        for (int i = 0; i < 16; i++) {
            assertThat(ct.read(words + 8L * i)).isEqualTo(i);
        }
    }

    @Test
    void aBarrierOfCompletionsStartsWhatHasGathered() {
        ct.async().gather();
        long last = ct.async().write(words, 7).detach();
        assertThat(ct.async().barrier(0).await(last, CompletionGrade.REMOTE)).isEqualTo(last);
        ct.async().gather();
        ct.async().write(words, 8).detach();
        ct.async().awaitAny();
    }
}
