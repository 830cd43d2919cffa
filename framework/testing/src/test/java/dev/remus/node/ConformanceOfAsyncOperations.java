// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.InvalidPointerException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** The guarantees of operations that are posted now and awaited later, on every fabric. */
public interface ConformanceOfAsyncOperations {
    /**
     * Runs a Compute Thread, the only one of its cluster, with two Memory Nodes on other nodes and three lanes that it
     * uses in turn.
     *
     * @param operations the maximum number of outstanding operations
     */
    void runOneThread(int operations, ComputeNode.Body body) throws Exception;

    private void run(ComputeNode.Body body) throws Exception {
        runOneThread(8, body);
    }

    private void run(int operations, ComputeNode.Body body) throws Exception {
        runOneThread(operations, body);
    }

    @Test
    default void operationsThatHaveGatheredHaveTheSameEffectsAndResults() throws Exception {
        run(ct -> {
            long[] words = {ct.allocate(64), ct.allocate(64)};
            ct.write(words[0], 0);
            ct.write(words[1], 0);
            for (int round = 0; round < 10; round++) {
                ct.async().gather();
                List<RemoteFuture> added = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    added.add(ct.async().fetchAndAdd(words[i % 2], 1));
                    ct.async().write(words[i % 2] + 8L + 8L * i, round).detach();
                }
                for (RemoteFuture future : added) {
                    assertThat(future.await()).isBetween(2L * round, 2L * round + 1); // lanes have no common order
                }
                ct.async().awaitAll();
                for (int i = 0; i < 4; i++) {
                    assertThat(ct.read(words[i % 2] + 8L + 8L * i)).isEqualTo(round);
                }
            }
        });
    }

    @Test
    default void anAwaitedOperationHasTheEffectAndResultOfTheBlockingOne() throws Exception {
        run(ct -> {
            long block = ct.allocate(64);
            LocalBuffer local = ct.allocateLocal(64);
            for (long i = 1; i < 30; i++) {
                assertThat(ct.async().write(block, i).await()).isZero();
                assertThat(ct.read(block)).isEqualTo(i);
                assertThat(ct.async().read(block).await()).isEqualTo(i);
                ct.compareAndSwap(block + 8, ct.read(block + 8), i);
                assertThat(ct.async().compareAndSwap(block + 8, i, -i).await()).isEqualTo(i);
                assertThat(ct.async().compareAndSwap(block + 8, i, 7).await()).isEqualTo(-i);
                assertThat(ct.async().fetchAndAdd(block + 8, 2).await()).isEqualTo(-i);
                assertThat(ct.read(block + 8)).isEqualTo(2 - i);
                local.putLong(0, i);
                local.putLong(8, i * i);
                assertThat(ct.async().write(block + 16, local, 0, 16).await()).isZero();
                assertThat(ct.read(block + 24)).isEqualTo(i * i);
                assertThat(ct.async().read(block + 16, local, 32, 16).await()).isZero();
                assertThat(local.getLong(32)).isEqualTo(i);
                assertThat(local.getLong(40)).isEqualTo(i * i);
                RemoteFuture sequence = ct.sequence()
                        .write(block + 40, local, 0, 16)
                        .fetchAndAdd(block + 8, 1, local, 48)
                        .write(block + 32, local, 0, 8)
                        .executeAsync();
                assertThat(sequence.await()).isZero();
                assertThat(local.getLong(48)).isEqualTo(2 - i);
                assertThat(ct.read(block + 48)).isEqualTo(i * i);
                assertThat(ct.read(block + 32)).isEqualTo(i);
            }
        });
    }

    @Test
    default void manyOperationsInFlightToSeveralMemoryNodesAreAwaitedInAnyOrder() throws Exception {
        run(64, ct -> {
            List<Long> words = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                words.add(ct.allocate(64));
            }
            for (long round = 0; round < 5; round++) {
                List<RemoteFuture> writes = new ArrayList<>();
                for (long word : words) {
                    writes.add(ct.async().write(word, word + round));
                }
                for (int i = writes.size() - 1; i >= 0; i--) {
                    writes.get(i).await();
                }
                List<RemoteFuture> reads = new ArrayList<>();
                for (long word : words) {
                    reads.add(ct.async().read(word));
                }
                for (int i = 0; i < reads.size(); i++) {
                    int any = i * 7 % reads.size();
                    assertThat(reads.get(any).await()).isEqualTo(words.get(any) + round);
                }
            }
        });
    }

    @Test
    default void severalOperationsAreOneRoundTripHoweverTheyAreAwaited() throws Exception {
        run(ct -> {
            long near = ct.allocate(64);
            long far = ct.allocate(64);
            LocalBuffer local = ct.allocateLocal(64);
            long trips = ct.metrics().roundTrips();
            long reads = ct.metrics().reads();
            RemoteFuture a = ct.async().read(near);
            RemoteFuture b = ct.async().read(far);
            RemoteFuture c = ct.async().read(far, local, 0, 16);
            assertThat(ct.metrics().roundTrips() - trips).isZero();
            assertThat(ct.metrics().reads() - reads).isEqualTo(3);
            c.await();
            a.await();
            b.await();
            assertThat(ct.metrics().roundTrips() - trips).isEqualTo(1);

            a = ct.async().write(near, 1);
            b = ct.async().write(far, 2);
            c = ct.sequence()
                    .read(near, local, 0, 8)
                    .write(near + 8, local, 0, 8)
                    .executeAsync();
            ct.async().awaitAll();
            assertThat(List.of(a.isDone(), b.isDone(), c.isDone())).containsOnly(true);
            a.await();
            b.await();
            c.await();
            ct.async().awaitAll();
            ct.place();
            assertThat(ct.metrics().roundTrips() - trips).isEqualTo(2);

            a = ct.async().read(near);
            b = ct.async().write(far, 2);
            a.await(); // does not place
            b.await();
            assertThat(ct.metrics().roundTrips() - trips).isEqualTo(4);

            ct.async().read(near).await();
            ct.async().read(near).await();
            ct.async().awaitAll();
            ct.place();
            assertThat(ct.metrics().roundTrips() - trips).isEqualTo(6);
        });
    }

    @Test
    default void awaitAllAlsoWaitsForReadsThatAnEarlierWaitForAWriteHasPosted() throws Exception {
        run(ct -> {
            long near = ct.allocate(64);
            long far = ct.allocate(64);
            ct.write(near, 3);
            for (int i = 0; i < 50; i++) {
                RemoteFuture read = ct.async().read(near);
                ct.async().write(far, i).await();
                ct.async().awaitAll();
                assertThat(read.isDone()).isTrue();
                assertThat(read.await()).isEqualTo(3);
            }
        });
    }

    @Test
    default void placeAndTheControlBarrierDrainOutstandingOperations() throws Exception {
        run(ct -> {
            long near = ct.allocate(64);
            long far = ct.allocate(64);
            ct.write(far + 8, 0);
            for (long i = 1; i < 30; i++) {
                RemoteFuture a = ct.async().write(near, i);
                RemoteFuture b = ct.async().fetchAndAdd(far + 8, 1);
                ct.async().write(far, i).detach();
                ct.post(near + 8, i);
                if (i % 2 == 0) {
                    ct.place();
                } else {
                    ct.barrier();
                }
                assertThat(ct.read(near)).isEqualTo(i);
                assertThat(ct.read(near + 8)).isEqualTo(i);
                assertThat(ct.read(far)).isEqualTo(i);
                assertThat(ct.read(far + 8)).isEqualTo(i);
                assertThat(a.isDone()).isTrue();
                assertThat(b.await()).isEqualTo(i - 1);
                assertThat(a.await()).isZero();
            }
        });
    }

    @Test
    default void aFutureIsAwaitedOrDetachedOnceAndOnlyByItsThread() throws Exception {
        run(ct -> {
            long word = ct.allocate(64);
            RemoteFuture awaited = ct.async().read(word);
            awaited.await();
            RemoteFuture detached = ct.async().read(word);
            detached.detach();
            RemoteFuture waiting = ct.async().read(word);
            for (int i = 0; i < 20; i++) {
                ct.async().read(word).await(); // does not make the others usable again
            }
            for (RemoteFuture used : List.of(awaited, detached)) {
                assertThatThrownBy(used::await)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("awaited or detached already");
                assertThatThrownBy(used::detach).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(used::isDone).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(used::id).isInstanceOf(IllegalStateException.class);
            }
            CompletableFuture.runAsync(() -> assertThatThrownBy(waiting::await)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining(ct + " belongs to another thread"))
                    .get(60, TimeUnit.SECONDS);
            waiting.await();
        });
    }

    @Test
    default void operationsBeyondTheLimitAreRefusedUntilOneIsAwaitedAndDetachedOnesMakeRoom() throws Exception {
        run(4, ct -> {
            long word = ct.allocate(64);
            List<RemoteFuture> futures = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                futures.add(ct.async().read(word));
            }
            ct.async().awaitAll(); // they must still be awaited
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> ct.async().read(word))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("--cn-ops-per-thread")
                        .hasMessageContaining(" 4 ");
            }
            futures.get(2).await();
            for (long i = 1; i <= 500; i++) {
                ct.async().write(word, i).detach();
            }
            ct.place();
            assertThat(ct.read(word)).isIn(longs(490, 500)); // they overtake each other, on three lanes
            for (int i : new int[] {0, 1, 3}) {
                futures.get(i).await();
            }
        });
    }

    @Test
    default void withoutAnArmedIdEachCompletionIsReportedAtMostOnceAndNoneIsMissed() throws Exception {
        run(ct -> {
            long near = ct.allocate(64);
            long far = ct.allocate(64);
            for (int i = 0; i < 30; i++) {
                List<RemoteFuture> futures = new ArrayList<>();
                for (int j = 0; j < 4; j++) {
                    futures.add(ct.async().read(near));
                    futures.add(ct.async().write(far, j));
                }
                int reports = 0;
                while (!futures.isEmpty()) {
                    CompletionBarrier reported = ct.async().awaitAny();
                    reports++;
                    RemoteFuture done = futures.stream()
                            .filter(f -> f.memoryNode() == reported.memoryNode() && f.isDone())
                            .findFirst()
                            .orElseThrow();
                    futures.remove(done);
                    done.await();
                    while (futures.removeIf(ConformanceOfAsyncOperations::isDoneAndAwaited)) {
                        // completions that the thread has noticed itself are not reported
                    }
                }
                assertThat(reports).isLessThanOrEqualTo(8);
                assertThatThrownBy(() -> ct.async().tryAwaitAny(0))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("no completion will come");
            }
        });
    }

    private static boolean isDoneAndAwaited(RemoteFuture future) {
        boolean done = future.isDone();
        if (done) {
            future.await();
        }
        return done;
    }

    @Test
    default void aWaitThatEndedBeforeTheOperationIsRepeatedAndNothingIsLostOrCountedTwice() throws Exception {
        run(ct -> {
            long near = ct.allocate(64);
            long far = ct.allocate(64);
            ct.write(near, 0);
            ct.async().read(near).await();
            long trips = ct.metrics().roundTrips();
            for (long i = 0; i < 30; i++) {
                RemoteFuture add = ct.async().fetchAndAdd(near, 1);
                RemoteFuture write = ct.async().write(far, i);
                repeat(() -> write.tryAwait(100));
                repeat(() -> add.tryAwait(100));
                assertThat(add.await()).isEqualTo(i);
                assertThat(write.await()).isZero();

                long id = ct.async().write(far, -i).detach();
                CompletionBarrier barrier = ct.async().barrier(1);
                repeat(() -> barrier.tryAwait(id, CompletionGrade.REMOTE, 100) >= id);

                long armed = ct.async().write(far, i).detach();
                if (barrier.poll(armed, CompletionGrade.REMOTE) < armed) {
                    repeat(() -> ct.async().tryAwaitArmed(100) == barrier);
                } else {
                    barrier.await(armed, CompletionGrade.REMOTE);
                }

                RemoteFuture read = ct.async().read(far);
                repeat(() -> ct.async().tryAwaitAll(100));
                assertThat(read.tryAwait(0)).isTrue();
                assertThat(read.await()).isEqualTo(i);
            }
            assertThat(ct.metrics().roundTrips() - trips).isEqualTo(30 * 4);
            assertThat(ct.read(near)).isEqualTo(30);
        });
    }

    private static void repeat(BooleanSupplier wait) {
        while (!wait.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    private static List<Long> longs(long first, long last) {
        List<Long> longs = new ArrayList<>();
        for (long i = first; i <= last; i++) {
            longs.add(i);
        }
        return longs;
    }

    @Test
    default void anInvalidOperationIsRefusedAndTakesNoFuture() throws Exception {
        run(1, ct -> {
            long word = ct.allocate(64);
            LocalBuffer local = ct.allocateLocal(64);
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> ct.async().read(0)).isInstanceOf(InvalidPointerException.class);
                assertThatThrownBy(() -> ct.async().write(word + 1, 0)).isInstanceOf(InvalidPointerException.class);
                assertThatThrownBy(() -> ct.async().read(word, local, 64, 8))
                        .isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> ct.sequence().executeAsync()).isInstanceOf(IllegalStateException.class);
                ct.async().read(word).await();
            }
        });
    }
}
