// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.remus.await.Await;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.NodeLostException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A thread that closes a node, or notices a loss, takes the memory from threads that are in the middle of compiled
 * loops. These read without synchronisation which memory there is.
 */
@Timeout(180)
class LateAccessTest {
    /** Accesses after which the loop is compiled on shared memory. */
    private static final long COMPILED = 100_000;

    private final AtomicLong accesses = new AtomicLong();
    private final AtomicBoolean isOver = new AtomicBoolean();

    private static List<ThrowingCallable> everyAccess(long block, LocalBuffer local, ComputeThread ct) {
        return List.of(
                () -> ct.read(block),
                () -> ct.write(block, 1),
                () -> ct.compareAndSwap(block + 8, 0, 1),
                () -> ct.fetchAndAdd(block + 16, 1),
                () -> ct.postFetchAndAdd(block + 16, 1),
                () -> ct.read(block, local),
                () -> ct.write(block + 32, local, 0, 16),
                () -> ct.sequence().read(block, local, 0, 8).execute());
    }

    /** Returns what ended the accesses of a thread; none after that succeeds. */
    private Throwable accessUntilTheEnd(ComputeNode node) {
        ComputeThread ct = node.openThread(0);
        long block = ct.allocate(64);
        LocalBuffer local = ct.allocateLocal(64);
        List<ThrowingCallable> all = everyAccess(block, local, ct);
        Throwable end = catchThrowable(() -> {
            while (true) {
                for (ThrowingCallable access : all) {
                    boolean isLate = isOver.get();
                    access.call();
                    assertThat(isLate)
                            .as("an access that began after the end succeeded")
                            .isFalse();
                    accesses.incrementAndGet();
                }
            }
        });
        assertThat(all).allSatisfy(access -> assertThatThrownBy(access).isInstanceOf(RuntimeException.class));
        return end;
    }

    private interface Ending {
        void end(TestCluster cluster) throws Exception;
    }

    private Throwable accessUntil(Ending ending, TestCluster cluster) throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            Future<Throwable> end = other.submit(() -> accessUntilTheEnd(cluster.computeNode(1)));
            Await.until("the loop is compiled", () -> accesses.get() >= COMPILED || end.isDone());
            assertThat(end.isDone()).isFalse();
            ending.end(cluster);
            return end.get(120, TimeUnit.SECONDS);
        } finally {
            other.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource
    void noAccessThatBeginsAfterItsNodeWasClosedSucceeds(FabricKind kind) throws Exception {
        try (TestCluster cluster =
                kind.cluster(TestCluster.config(1, 1, 1).build()).start()) {
            Throwable end = accessUntil(
                    closed -> {
                        closed.computeNode(1).close();
                        isOver.set(true);
                    },
                    cluster);
            assertThat(end).isInstanceOf(RuntimeException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void accessesEndOnceANodeIsLostAndNoneSucceedsAfterwards(FabricKind kind) throws Exception {
        try (TestCluster cluster =
                kind.cluster(TestCluster.config(1, 2, 1).build()).start()) {
            Throwable end = accessUntil(lost -> lost.computeNode(2).abort("a test"), cluster);
            assertThat(end)
                    .isInstanceOfSatisfying(
                            NodeLostException.class, e -> assertThat(e.node()).isEqualTo(2));
        }
    }

    /** Searches for ever, in a record that links to itself, with compiled code. */
    private Throwable searchInACircle(SortedChain chain, ComputeNode node) {
        ComputeThread ct = node.openThread(0);
        long record = ct.allocate(64);
        ct.write(record, 5);
        ct.write(record + 8, record);
        for (int i = 0; i < COMPILED; i++) {
            assertThat(chain.search(record, -8, 5, ct)).isTrue();
        }
        accesses.set(COMPILED);
        return catchThrowable(() -> chain.search(record, -8, 6, ct));
    }

    private static List<SortedChain> chains() {
        return List.of(SortedChain.ofWords(), SortedChain.ofRecords(16));
    }

    private void searchUntil(Ending ending, SortedChain chain, TestCluster cluster) throws Exception {
        accesses.set(0);
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            Future<Throwable> end = other.submit(() -> searchInACircle(chain, cluster.computeNode(1)));
            Await.until("the search begins", () -> accesses.get() >= COMPILED || end.isDone());
            assertThat(end.isDone()).isFalse();
            ending.end(cluster);
            assertThat(end.get(120, TimeUnit.SECONDS)).isInstanceOf(RuntimeException.class);
        } finally {
            other.shutdownNow();
        }
    }

    @Test
    void aSearchThatWouldGoOnForEverEndsOnceItsNodeIsClosed() throws Exception {
        for (SortedChain chain : chains()) {
            try (TestCluster cluster = FabricKind.DIRECT
                    .cluster(TestCluster.config(1, 1, 1).build())
                    .start()) {
                searchUntil(closed -> closed.computeNode(1).close(), chain, cluster);
            }
        }
    }

    @Test
    void aSearchThatWouldGoOnForEverEndsOnceANodeIsLost() throws Exception {
        for (SortedChain chain : chains()) {
            try (TestCluster cluster = FabricKind.DIRECT
                    .cluster(TestCluster.config(1, 2, 1).build())
                    .start()) {
                searchUntil(lost -> lost.computeNode(2).abort("a test"), chain, cluster);
            }
        }
    }
}
