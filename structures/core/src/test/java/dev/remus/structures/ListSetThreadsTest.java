// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.FabricException;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What several threads and nodes see of every list. */
@Timeout(120)
class ListSetThreadsTest {
    private static final int OPERATIONS = 2_000;
    private static final int INTERRUPTS = 300;
    private static final long BETWEEN_INTERRUPTS_NANOS = 1_000_000;

    private static RemoteLongSet shared(ListKind kind, ComputeThread ct) {
        if (ct.id() == 0) {
            ct.root().set(kind.create(ct));
        }
        ct.barrier();
        return kind.open(ct.root().get());
    }

    /** Random operations, reclaiming now and then; at the end the books must balance. */
    static void hammer(ListKind kind, ClusterConfig config, int keys) throws Exception {
        AtomicLong books = new AtomicLong();
        TestCluster.of(config).run(ct -> {
            RemoteLongSet set = shared(kind, ct);
            long balance = 0;
            for (int i = 0; i < OPERATIONS; i++) {
                long key = ct.random().nextInt(keys);
                switch (ct.random().nextInt(3)) {
                    case 0 -> balance += set.insert(key, ct) ? 1 : 0;
                    case 1 -> balance -= set.remove(key, ct) ? 1 : 0;
                    default -> set.contains(key, ct);
                }
                if (i % 500 == 499) {
                    ct.barrier();
                    ct.reclaimDeferred();
                }
            }
            books.addAndGet(balance);
            ct.barrier();
            if (ct.id() == 0) {
                assertThat(set.checkedSize(ct)).isEqualTo(books.get());
                set.destroy(ct);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void eightThreadsOnOneKeyBalanceTheirBooks(ListKind kind) throws Exception {
        hammer(kind, TestCluster.config(1, 2, 4).checkMemory(true).build(), 1);
    }

    @ParameterizedTest
    @EnumSource
    void eightThreadsOnFewKeysBalanceTheirBooks(ListKind kind) throws Exception {
        hammer(kind, TestCluster.config(2, 2, 4).checkMemory(true).build(), 16);
    }

    @ParameterizedTest
    @EnumSource
    void threeNodesThatAreAllBothBalanceTheirBooks(ListKind kind) throws Exception {
        hammer(kind, TestCluster.configOfBoth(3, 2).build(), 200);
    }

    @ParameterizedTest
    @EnumSource
    void ofManyThreadsThatInsertTheSameKeyExactlyOneSucceeds(ListKind kind) throws Exception {
        AtomicLong inserted = new AtomicLong();
        AtomicLong removed = new AtomicLong();
        TestCluster.of(TestCluster.config(1, 2, 4).build()).run(ct -> {
            RemoteLongSet set = shared(kind, ct);
            for (long key = 0; key < 50; key++) {
                inserted.addAndGet(set.insert(key, ct) ? 1 : 0);
            }
            ct.barrier();
            for (long key = 0; key < 50; key++) {
                assertThat(set.contains(key, ct)).isTrue();
            }
            ct.barrier();
            for (long key = 0; key < 50; key++) {
                removed.addAndGet(set.remove(key, ct) ? 1 : 0);
            }
        });
        assertThat(inserted).hasValue(50);
        assertThat(removed).hasValue(50);
    }

    @ParameterizedTest
    @EnumSource
    void aKeyThatStaysIsSeenByEveryContainsWhileItsNeighboursComeAndGo(ListKind kind) throws Exception {
        TestCluster.of(TestCluster.config(1, 2, 2).build()).run(ct -> {
            RemoteLongSet set = shared(kind, ct);
            if (ct.id() == 0) {
                set.insert(50, ct);
            }
            ct.barrier();
            for (int i = 0; i < OPERATIONS; i++) {
                if (ct.id() % 2 == 0) {
                    long key = 49 + 2L * ct.random().nextInt(2);
                    set.insert(key, ct);
                    set.remove(key, ct);
                } else {
                    assertThat(set.contains(50, ct)).isTrue();
                    assertThat(set.contains(48, ct)).isFalse();
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "LOCK_FREE")
    void updatesBesideALockThatALostNodeHeldGoOnOnceItIsCutOff(ListKind kind) throws Exception {
        ClusterConfig config =
                TestCluster.config(1, 2, 1).onNodeLoss(OnNodeLoss.CONTINUE).build();
        try (TestCluster cluster = TestCluster.of(config).start()) {
            ComputeNode dying = cluster.computeNode(2);
            cluster.runThreads(ct -> {
                RemoteLongSet set = shared(kind, ct);
                if (ct.id() == 0) {
                    for (long key = 10; key <= 50; key += 10) {
                        set.insert(key, ct);
                    }
                }
                ct.barrier();
                if (ct.id() == 1) {
                    lockNode(30, kind, ct);
                    ct.barrier();
                    dying.abort("killed by the test");
                    return;
                }
                ct.barrier();
                assertThat(set.contains(30, ct)).isTrue();
                assertThat(set.insert(45, ct)).isTrue();
                assertThat(set.insert(31, ct)).isTrue(); // behind the locked one: an insert locks its predecessor
                assertThat(ct.peers().isLost(1)).isTrue();
                assertThat(set.remove(30, ct)).isTrue();
                assertThat(set.remove(10, ct)).isTrue();
                assertThat(set.checkedSize(ct)).isEqualTo(5);
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void interruptsLeaveNoNodeLocked(ListKind kind) throws Exception {
        ClusterConfig config = TestCluster.config(1, 1, 2)
                .emulatedLatency("100") // microseconds: a wait of more than 50 can be interrupted
                .build();
        TestCluster.of(config).run(ct -> {
            RemoteLongSet set = shared(kind, ct);
            if (ct.id() == 0) {
                changeWhileInterrupted(set, ct);
            }
            ct.barrier();
            if (ct.id() == 1) {
                set.insert(1, ct);
                assertThat(set.remove(1, ct)).isTrue();
                assertThat(set.insert(2, ct)).isTrue();
            }
        });
    }

    private static void changeWhileInterrupted(RemoteLongSet set, ComputeThread ct) {
        Thread self = Thread.currentThread();
        AtomicBoolean isOver = new AtomicBoolean();
        Thread other = new Thread(() -> {
            while (!isOver.get()) {
                LockSupport.parkNanos(BETWEEN_INTERRUPTS_NANOS);
                self.interrupt();
            }
        });
        other.start();
        for (int interrupts = 0; interrupts < INTERRUPTS; ) {
            try {
                set.insert(1, ct);
                set.remove(1, ct);
            } catch (FabricException e) {
                interrupts++;
                Thread.interrupted();
            }
        }
        isOver.set(true);
        while (other.isAlive()) {
            Thread.interrupted();
            Thread.onSpinWait();
        }
        Thread.interrupted();
    }

    /** Leaves the node of a key locked, as a thread that dies inside an insert does. */
    private static void lockNode(long key, ListKind kind, ComputeThread ct) {
        int lock = kind == ListKind.PLAIN ? 16 : 24; // behind the stamp
        long curr = ct.read(ct.read(ct.root().get().raw()) + 8);
        while (ct.read(curr) != key) {
            curr = ct.read(curr + 8);
        }
        while (ct.compareAndSwap(curr + lock, 0, ct.id() + 1L) != 0) { // another thread may just hold it
            ct.pause();
        }
    }
}
