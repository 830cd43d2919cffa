// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import dev.remus.record.Codecs;
import java.lang.management.ManagementFactory;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What one thread sees of every list. */
@Tag("oldest-jdk")
@Timeout(120)
class ListSetTest {
    private interface Body {
        void run(RemoteLongSet set, ComputeThread ct);
    }

    private static void withEmptySet(ListKind kind, int memoryNodes, Body body) throws Exception {
        TestCluster.of(TestCluster.config(memoryNodes, 1, 1).checkMemory(true).build())
                .run(ct -> {
                    RemoteLongSet set = kind.make(ct);
                    body.run(set, ct);
                    set.checkedSize(ct);
                    set.destroy(ct);
                });
    }

    @ParameterizedTest
    @EnumSource
    void anEmptySetContainsNoKeyNotEvenTheDefaultOne(ListKind kind) throws Exception {
        withEmptySet(kind, 1, (set, ct) -> {
            for (long key : new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
                assertThat(set.contains(key, ct)).as("contains %d", key).isFalse();
                assertThat(set.remove(key, ct)).as("remove %d", key).isFalse();
            }
            assertThat(set.checkedSize(ct)).isZero();
        });
    }

    @ParameterizedTest
    @EnumSource
    void everyKeyCanBeInsertedOnceAndRemovedOnce(ListKind kind) throws Exception {
        withEmptySet(kind, 2, (set, ct) -> {
            long[] keys = {0, Long.MAX_VALUE, -1, Long.MIN_VALUE, 1, Long.MIN_VALUE + 1, Long.MAX_VALUE - 1};
            for (long key : keys) {
                assertThat(set.insert(key, ct)).isTrue();
                assertThat(set.insert(key, ct)).isFalse();
                assertThat(set.contains(key, ct)).isTrue();
            }
            assertThat(set.checkedSize(ct)).isEqualTo(keys.length);
            for (long key : keys) {
                assertThat(set.remove(key, ct)).isTrue();
                assertThat(set.remove(key, ct)).isFalse();
                assertThat(set.contains(key, ct)).isFalse();
            }
            assertThat(set.checkedSize(ct)).isZero();
        });
    }

    @ParameterizedTest
    @EnumSource
    void aRandomSequenceOfOperationsAnswersLikeATreeSet(ListKind kind) throws Exception {
        withEmptySet(kind, 2, (set, ct) -> {
            TreeSet<Long> model = new TreeSet<>();
            SplittableRandom random = new SplittableRandom(7);
            for (int i = 0; i < 20_000; i++) {
                long key = random.nextInt(-32, 32);
                switch (random.nextInt(3)) {
                    case 0 -> assertThat(set.insert(key, ct)).isEqualTo(model.add(key));
                    case 1 -> assertThat(set.remove(key, ct)).isEqualTo(model.remove(key));
                    default -> assertThat(set.contains(key, ct)).isEqualTo(model.contains(key));
                }
                if (i % 1000 == 0) {
                    assertThat(set.checkedSize(ct)).isEqualTo(model.size());
                    ct.reclaimDeferred();
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void keysOfSixteenBytesAreKeptInTheirOwnOrder(ListKind kind) throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            KeyType<UUID> type = KeyType.of(Codecs.UUID);
            RemoteSet<UUID> set = kind.make(type, ct);
            TreeSet<UUID> model = new TreeSet<>();
            SplittableRandom random = new SplittableRandom(3);
            for (int i = 0; i < 200; i++) {
                UUID key = new UUID(random.nextInt(4), random.nextLong());
                assertThat(set.insert(key, ct)).isEqualTo(model.add(key));
            }
            assertThat(set.checkedSize(ct)).isEqualTo(model.size());
            for (UUID key : model) {
                assertThat(set.contains(key, ct)).isTrue();
                assertThat(set.remove(key, ct)).isTrue();
            }
            assertThat(set.checkedSize(ct)).isZero();
            set.destroy(ct);
        });
    }

    @ParameterizedTest
    @EnumSource
    void keysShorterThanAWordCanBeOrderedBackwards(ListKind kind) throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            KeyType<Integer> type = KeyType.of(Codecs.INT, Comparator.reverseOrder());
            RemoteSet<Integer> set = kind.make(type, ct);
            for (int key : new int[] {5, -3, 0, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                assertThat(set.insert(key, ct)).isTrue();
            }
            assertThat(set.checkedSize(ct)).isEqualTo(5);
            assertThat(set.contains(-3, ct)).isTrue();
            assertThat(set.contains(3, ct)).isFalse();
        });
    }

    @ParameterizedTest
    @EnumSource
    void destroyGivesAllMemoryBack(ListKind kind) throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1)
                        .segmentSizeLog2(12)
                        .segmentsPerNode(1)
                        .build())
                .run(ct -> {
                    for (int i = 0; i < 300; i++) { // many times what a segment of 4 KiB holds
                        RemoteLongSet set = kind.make(ct);
                        for (long key = 0; key < 20; key++) {
                            set.insert(key, ct);
                        }
                        set.destroy(ct);
                    }
                });
    }

    @ParameterizedTest
    @EnumSource
    void operationsAllocateNothing(ListKind kind) throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            RemoteLongSet set = kind.make(ct);
            for (long key = 0; key < 32; key += 2) {
                set.insert(key, ct);
            }
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            int times = 20_000;
            long before = 0;
            int found = 0;
            for (int i = 0; i < 2 * times; i++) {
                if (i == times) {
                    before = threads.getThreadAllocatedBytes(
                            Thread.currentThread().getId());
                }
                long key = i & 31;
                found += set.contains(key, ct) ? 1 : 0;
                set.insert(key | 1, ct);
                set.remove(key | 1, ct);
                if (i % 512 == 0) {
                    ct.reclaimDeferred();
                }
            }
            long allocated =
                    threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
            assertThat(allocated).as("bytes, found %d", found).isLessThan(times);
        });
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "LOCK_FREE")
    void theChecksFindALockThatWasLeft(ListKind kind) throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            RdmaPtr<?> This = kind.create(ct);
            RemoteLongSet set = kind.open(This);
            set.insert(1, ct);
            ct.place();
            long first = ct.read(ct.read(This.raw()) + 8);
            ct.write(first + kind.lockOffset(), 1);
            assertThatThrownBy(() -> set.checkedSize(ct))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("locked by thread 0");
        });
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "LOCK_FREE")
    void theChecksFindKeysOutOfOrderAndAMarkedSentinelButAllowARemovedNodeThatIsLinked(ListKind kind) throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            RdmaPtr<?> This = kind.create(ct);
            RemoteLongSet set = kind.open(This);
            set.insert(1, ct);
            set.insert(2, ct);
            long head = ct.read(This.raw());
            long first = ct.read(head + 8);
            ct.write(first, 2);
            assertThatThrownBy(() -> set.checkedSize(ct))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("not above");
            ct.write(first, 1);
            ct.write(first + 8, RdmaPtr.marked(ct.read(first + 8)));
            assertThat(set.checkedSize(ct)).isEqualTo(1);
            ct.write(head + 8, RdmaPtr.marked(first));
            assertThatThrownBy(() -> set.checkedSize(ct))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("marked");
        });
    }
}
