// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What several threads and nodes see of an ordered map. */
@Timeout(120)
class LongLongTreeThreadsTest {
    private static final int OPERATIONS = 6_000;
    private static final long MISSING = -1;

    private static LongLongTree shared(int entries, ComputeThread ct) {
        if (ct.id() == 0) {
            ct.root().set(LongLongTree.create(new TreeShape(entries), ct));
        }
        ct.barrier();
        return new LongLongTree(ct.root().<TreeTable>get(), MISSING, ct);
    }

    /** Random operations; at the end the books must balance. */
    private static void hammer(ClusterConfig config, int entries, int keys) throws Exception {
        AtomicLong count = new AtomicLong();
        AtomicLong sum = new AtomicLong();
        TestCluster.of(config).run(ct -> {
            LongLongTree tree = shared(entries, ct);
            long present = 0;
            long balance = 0;
            for (int i = 1; i <= OPERATIONS; i++) {
                long key = ct.random().nextInt(keys);
                long old = MISSING;
                switch (ct.random().nextInt(4)) {
                    case 0 -> {
                        old = tree.put(key, i, ct);
                        present += old == MISSING ? 1 : 0;
                        balance += i;
                    }
                    case 1 -> {
                        if (tree.putIfAbsent(key, i, ct) == MISSING) {
                            present++;
                            balance += i;
                        }
                    }
                    case 2 -> {
                        old = tree.remove(key, ct);
                        present -= old == MISSING ? 0 : 1;
                    }
                    default -> tree.get(key, ct);
                }
                balance -= old == MISSING ? 0 : old;
            }
            count.addAndGet(present);
            sum.addAndGet(balance);
            ct.barrier();
            if (ct.id() == 0) {
                assertThat(tree.checkedSize(ct)).isEqualTo(count.get());
                long[] there = {0};
                tree.scan(0, keys, keys, (key, value) -> there[0] += value, ct);
                assertThat(there[0]).isEqualTo(sum.get());
                tree.destroy(ct);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16, 1_000})
    void eightThreadsBalanceTheirBooks(int keys) throws Exception {
        hammer(TestCluster.config(2, 2, 4).segmentSizeLog2(22).checkMemory(true).build(), 2, keys);
    }

    @Test
    void threeNodesThatAreAllBothBalanceTheirBooks() throws Exception {
        hammer(TestCluster.configOfBoth(3, 2).segmentSizeLog2(22).build(), 41, 5_000);
    }

    /** Each thread's keys move on; all of them together are many times as many as fit into memory. */
    @Test
    void windowsOfKeysThatFourThreadsMoveUseBoundedMemory() throws Exception {
        int window = 50;
        long keys = 8_000;
        TestCluster.of(TestCluster.config(2, 2, 2)
                        .segmentSizeLog2(17)
                        .reclaim(Reclamation.EPOCHS)
                        .checkMemory(true)
                        .build())
                .run(ct -> {
                    LongLongTree tree = shared(5, ct);
                    for (long i = 0; i < keys + window; i++) {
                        if (i < keys) {
                            assertThat(tree.put(4 * i + ct.id(), i, ct)).isEqualTo(MISSING);
                        }
                        if (i >= window) {
                            assertThat(tree.remove(4 * (i - window) + ct.id(), ct))
                                    .isEqualTo(i - window);
                        }
                        ct.quiescent();
                    }
                    ct.barrier();
                    if (ct.id() == 0) {
                        assertThat(tree.checkedSize(ct)).isZero();
                        assertThat(tree.unremovedNodes(ct)).isZero();
                    }
                });
    }

    /** Every tenth key stays, and keys around it come and go, so that leaves are split under the scans. */
    @Test
    void scansAndLookUpsFindEachKeyThatStaysWhileLeavesAreSplit() throws Exception {
        int staying = 200;
        TestCluster.of(TestCluster.config(2, 2, 2).segmentSizeLog2(22).build()).run(ct -> {
            LongLongTree tree = shared(4, ct);
            if (ct.id() == 0) {
                for (long key = 0; key < staying; key++) {
                    tree.put(10 * key, key, ct);
                }
            }
            ct.barrier();
            for (int i = 0; i < OPERATIONS; i++) {
                long key = ct.random().nextInt(10 * staying);
                if (ct.id() % 2 == 0) {
                    tree.put(key, key / 10, ct);
                } else if (i % 20 == 0) {
                    long[] next = {0};
                    tree.scan(
                            0,
                            Long.MAX_VALUE,
                            Long.MAX_VALUE,
                            (found, value) -> {
                                assertThat(value).isEqualTo(found / 10);
                                assertThat(found).isLessThanOrEqualTo(next[0]);
                                next[0] += found == next[0] ? 10 : 0;
                            },
                            ct);
                    assertThat(next[0])
                            .as("the first staying key that was missed")
                            .isEqualTo(10L * staying);
                } else {
                    assertThat(tree.get(key / 10 * 10, ct)).isEqualTo(key / 10);
                }
            }
            ct.barrier();
            if (ct.id() == 0) {
                assertThat(tree.unnamedNodes(ct)).isZero();
            }
        });
    }
}
