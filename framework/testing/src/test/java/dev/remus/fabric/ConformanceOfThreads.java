// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.await.Await;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Many threads on one word and many threads on one lane. */
interface ConformanceOfThreads extends FabricUnderTest {
    int THREADS = 4;

    private int times() {
        return repetitions(2_000);
    }

    @Test
    default void fetchAndAddsOfManyThreadsOnOneLaneSumExactly() {
        addsSumExactly(false);
    }

    @Test
    default void fetchAndAddsOfManyThreadsOnTheirOwnLanesSumExactly() {
        addsSumExactly(true);
    }

    private void addsSumExactly(boolean ownLanes) {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        runThreads(THREADS, thread -> {
            Caller caller = client.caller(ownLanes ? thread : 0);
            long last = -1;
            for (int i = 0; i < times(); i++) {
                long old = caller.fetchAndAdd(0, 64, 1);
                assertThat(old).isGreaterThan(last);
                last = old;
            }
        });
        assertThat(memory.get(0, 64)).isEqualTo((long) THREADS * times());
    }

    @Test
    default void compareAndSwapsOfManyThreadsOnOneLaneCountExactly() {
        swapsCountExactly(false);
    }

    @Test
    default void compareAndSwapsOfManyThreadsOnTheirOwnLanesCountExactly() {
        swapsCountExactly(true);
    }

    private void swapsCountExactly(boolean ownLanes) {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        runThreads(THREADS, thread -> {
            Caller caller = client.caller(ownLanes ? thread : 0);
            long expected = 0;
            for (int swapped = 0; swapped < times(); ) {
                long old = caller.compareAndSwap(0, 64, expected, expected + 1);
                if (old == expected) {
                    swapped++;
                    expected++;
                } else {
                    assertThat(old).isGreaterThan(expected);
                    expected = old;
                }
            }
        });
        assertThat(memory.get(0, 64)).isEqualTo((long) THREADS * times());
    }

    @Test
    default void fetchAndAddAndCompareAndSwapAreAtomicWithRespectToEachOther() {
        MemoryEndpoint memory = cluster().memory();
        TestClient one = cluster().client(1);
        TestClient two = cluster().client(2);
        runThreads(THREADS, thread -> {
            Caller caller = (thread % 2 == 0 ? one : two).caller(thread);
            for (int i = 0; i < times(); i++) {
                if (thread < 2) {
                    caller.fetchAndAdd(0, 64, 1);
                } else {
                    long seen = caller.read(0, 64);
                    long old;
                    while ((old = caller.compareAndSwap(0, 64, seen, seen + 1)) != seen) {
                        seen = old;
                    }
                }
            }
        });
        assertThat(memory.get(0, 64)).isEqualTo((long) THREADS * times());
    }

    @Test
    default void oneOfManyThreadsWinsEachCompareAndSwap() {
        cluster().memory();
        TestClient client = cluster().client(1);
        int rounds = 500;
        AtomicInteger wins = new AtomicInteger();
        runThreads(THREADS, thread -> {
            Caller caller = client.caller(thread);
            for (int i = 0; i < rounds; i++) {
                if (caller.compareAndSwap(0, 8L * i, 0, thread + 1) == 0) {
                    wins.incrementAndGet();
                }
            }
        });
        assertThat(wins).hasValue(rounds);
    }

    /** The lock is a word that only atomics change. It protects words that are only read and written. */
    @Test
    default void aLockOfCompareAndSwapsProtectsPlacedWrites() {
        MemoryEndpoint memory = cluster().memory();
        TestClient one = cluster().client(1);
        TestClient two = cluster().client(2);
        int times = times() / 4;
        runThreads(THREADS, thread -> {
            Caller caller = (thread % 2 == 0 ? one : two).caller(thread / 2);
            for (int i = 0; i < times; i++) {
                Await.until("the lock", () -> caller.compareAndSwap(0, 0, 0, thread + 1) == 0);
                long first = caller.read(0, 64);
                long second = caller.read(1, 64);
                assertThat(second).isEqualTo(-first);
                caller.write(0, 64, first + 1);
                caller.write(1, 64, -first - 1);
                assertThat(caller.compareAndSwap(0, 0, thread + 1, 0)).isEqualTo(thread + 1);
            }
        });
        assertThat(memory.get(0, 64)).isEqualTo((long) THREADS * times);
        assertThat(memory.get(1, 64)).isEqualTo(-(long) THREADS * times);
    }

    /** The message is several words, posted without a wait. The flag follows it on the same lane. */
    @Test
    default void writesOfOneLaneBecomeVisibleInTheOrderPosted() {
        cluster().memory();
        TestClient writing = cluster().client(1);
        TestClient reading = cluster().client(2);
        int messages = 500;
        runThreads(2, thread -> {
            if (thread == 0) {
                Caller writer = writing.caller(0);
                LocalBuffer local = writing.endpoint().allocateLocal(256);
                Chain chain = new Chain(3);
                for (long i = 1; i <= messages; i++) {
                    for (long w = 0; w < 256; w += 8) {
                        local.putLong(w, i);
                    }
                    chain.clear().write(writer.segment(0), 1024, local, 0, 256);
                    chain.write(writer.segment(1), 1024, local, 0, 8);
                    writer.execute(chain.read(writer.segment(1), 0, local, 0, 8));
                }
            } else {
                Caller reader = reading.caller(0);
                long[] flag = new long[1];
                while (flag[0] < messages) {
                    Await.until("the next message", () -> {
                        long now = reader.read(1, 1024);
                        boolean next = now != flag[0];
                        flag[0] = now;
                        return next;
                    });
                    for (long w = 0; w < 256; w += 120) {
                        assertThat(reader.read(0, 1024 + w)).isGreaterThanOrEqualTo(flag[0]);
                    }
                }
            }
        });
    }

    @Test
    default void everyCompletionOfASharedLaneIsPolledByExactlyOneThread() {
        cluster().memory();
        TestClient client = cluster().client(1);
        Lane lane = client.lane(0);
        int perThread = 1_000;
        AtomicInteger[] polled = new AtomicInteger[THREADS * perThread];
        for (int i = 0; i < polled.length; i++) {
            polled[i] = new AtomicInteger();
        }
        AtomicInteger all = new AtomicInteger();
        runThreads(THREADS, thread -> {
            LocalBuffer local = client.endpoint().allocateLocal(8);
            Chain chain = new Chain(1);
            Completions batch = new Completions(3);
            for (int i = 0; i < perThread; ) {
                chain.clear().read(client.segment(0), 64, local, 0, 8).signalled((long) thread * perThread + i);
                if (lane.tryPost(chain)) {
                    i++;
                } else {
                    count(lane, batch, polled, all);
                }
            }
            Await.until("all completions", () -> {
                count(lane, batch, polled, all);
                return all.get() >= polled.length;
            });
        });
        assertThat(polled).allSatisfy(times -> assertThat(times).hasValue(1));
    }

    private static void count(Lane lane, Completions batch, AtomicInteger[] polled, AtomicInteger all) {
        int n = lane.poll(batch);
        for (int i = 0; i < n; i++) {
            assertThat(batch.status(i)).isEqualTo(CompletionStatus.SUCCESS);
            polled[(int) batch.id(i)].incrementAndGet();
        }
        all.addAndGet(n);
    }

    /** Counts posted and refused requests, so that a lane that loses or repeats a request is detected. */
    @Test
    default void chainsOfManyThreadsOnOneLaneAreNeverMixed() {
        cluster().memory();
        TestClient client = cluster().client(1);
        runThreads(THREADS, thread -> {
            Caller caller = client.caller(0);
            LocalBuffer local = client.endpoint().allocateLocal(64);
            Chain chain = new Chain(4);
            for (int i = 0; i < times() / 4; i++) {
                chain.clear();
                for (int k = 0; k < 4; k++) {
                    chain.fetchAndAdd(client.segment(0), 64, 1, local, 8L * k).fenced();
                }
                caller.execute(chain);
                for (int k = 1; k < 4; k++) {
                    assertThat(local.getLong(8L * k)).isEqualTo(local.getLong(0) + k);
                }
            }
        });
    }
}
