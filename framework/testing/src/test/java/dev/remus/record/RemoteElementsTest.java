// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.OutOfRemoteMemoryException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.FabricKind;
import dev.remus.node.TestCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class RemoteElementsTest {
    private static final class Pair extends RemoteRecord {
        final RemoteLong left = longField();
        final RemoteLong right = longField();
    }

    @ParameterizedTest
    @EnumSource
    void anArrayIsOpenedWithTheLengthThatWasStoredInOneRoundTrip(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            RdmaPtr<RemoteLongArray> words = RemoteLongArray.allocate(100, ct).block();
            RdmaPtr<RemoteArray> pairs = RemoteArray.allocate(10, 16, ct).block();
            RdmaPtr<RemoteArray> lines = RemoteArray.allocate(3, 128, ct).block();
            long before = ct.metrics().roundTrips();
            assertThat(RemoteLongArray.open(words, ct).length()).isEqualTo(100);
            assertThat(RemoteArray.open(pairs, 16, ct).length()).isEqualTo(10);
            assertThat(RemoteArray.open(lines, 128, ct).length()).isEqualTo(3);
            assertThat(ct.metrics().roundTrips() - before).isEqualTo(3);
            assertThat(RemoteArray.open(lines, 128, ct).pointer(0) % 64).isZero();
            assertThat(RemoteArray.open(pairs, 16, ct).pointer(1)).isEqualTo(pairs.raw() + 32);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aRangeIsReadAndWrittenInOneRoundTrip(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            RemoteLongArray array = RemoteLongArray.allocate(100, ct);
            LocalBuffer local = ct.allocateLocal(100 * Long.BYTES);
            for (int i = 0; i < 100; i++) {
                local.putLong(i * 8L, i);
            }
            long before = ct.metrics().roundTrips();
            array.store(0, 100, local, 0, ct);
            array.store(10, 2, local, 40, ct);
            array.load(9, 4, local, 0, ct);
            assertThat(ct.metrics().roundTrips() - before).isEqualTo(3);
            assertThat(new long[] {local.getLong(0), local.getLong(8), local.getLong(16), local.getLong(24)})
                    .containsExactly(9, 5, 6, 12);
            assertThat(array.load(11, ct)).isEqualTo(6);
            ct.async().read(array.pointer(98, 2), local, 0, array.rangeBytes(2)).await();
            assertThat(local.getLong(8)).isEqualTo(99);
            array.free(ct);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aRangeOfRecordsIsReadIntoLocalMemory(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Pair pair = new Pair();
            RemoteArray array = RemoteArray.allocate(5, pair.bytes(), ct);
            for (int i = 0; i < array.length(); i++) {
                pair.at(array.pointer(i));
                pair.left.stage(i, ct);
                pair.right.stage(-i, ct);
                pair.storeStaged(ct);
            }
            LocalBuffer local = ct.allocateLocal(3 * pair.bytes());
            array.load(2, 3, local, 0, ct);
            assertThat(local.getLong(0)).isEqualTo(2);
            assertThat(local.getLong(2 * pair.bytes() + pair.right.offset())).isEqualTo(-4);
            array.schedReclaim(ct);
            assertThat(ct.reclaimDeferred()).isOne();
        });
    }

    @ParameterizedTest
    @EnumSource
    void rangesOutsideTheStoredLengthOrOfLocalMemoryAreRejected(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            RemoteLongArray array = RemoteLongArray.allocate(10, ct);
            LocalBuffer local = ct.allocateLocal(80);
            int max = Integer.MAX_VALUE;
            for (int[] range : new int[][] {{-1, 1}, {10, 1}, {9, 2}, {0, 11}, {0, 0}, {0, -1}, {1, max}, {max, max}}) {
                assertThatThrownBy(() -> array.load(range[0], range[1], local, 0, ct))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContaining(range[1] + " elements from " + range[0] + " of an array of 10");
                assertThatThrownBy(() -> array.store(range[0], range[1], local, 0, ct))
                        .isInstanceOf(IndexOutOfBoundsException.class);
            }
            assertThatThrownBy(() -> array.load(0, 10, local, 8, ct))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("local buffer");
        });
    }

    @ParameterizedTest
    @EnumSource
    void anArrayThatNoSegmentHasRoomForIsRejected(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            assertThatThrownBy(() -> RemoteArray.allocate(1 << 30, 1L << 40, ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("an array of 1073741824 elements of 1099511627776 bytes: needs at most");
            assertThatThrownBy(() -> RemoteLongArray.allocate(Integer.MAX_VALUE, ct))
                    .isInstanceOf(OutOfRemoteMemoryException.class);
        });
    }

    @ParameterizedTest
    @EnumSource
    void onlyAnArrayThatWasAllocatedAsSuchIsOpened(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            RdmaPtr<RemoteArray> pairs = RemoteArray.allocate(10, 16, ct).block();
            assertThatThrownBy(() -> RemoteArray.open(pairs, 24, ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no array of elements of 24 bytes")
                    .hasMessageContaining("the length 10 and elements of 16 bytes");
            for (long length : new long[] {0, -1, 1 << 16, Integer.MAX_VALUE, Long.MAX_VALUE}) {
                ct.write(pairs.raw(), length);
                assertThatThrownBy(() -> RemoteArray.open(pairs, 16, ct))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("the length " + length);
            }
            assertThatThrownBy(() -> RemoteArray.open(pairs, 0, ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("elements of 0 bytes: needs at least 1");
            assertThatThrownBy(() -> RemoteLongArray.allocate(0, ct)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> RemoteArray.allocate(1, 0, ct)).isInstanceOf(IllegalArgumentException.class);
        });
    }

    @Test
    void aRangeThatIsLargerThanATransferIsRejected() {
        class Large extends RemoteRecord {
            final RemoteArray array = arrayField(2, 1L << 36);
        }
        RemoteArray array = new Large().array;
        assertThat(array.rangeBytes(0)).isZero();
        for (int count : new int[] {-1, 1, 1 << 28, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> array.rangeBytes(count))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("less than 2^31 bytes");
        }
    }

    @ParameterizedTest
    @EnumSource
    void anArrayThatIsAFieldHasNoBlockOfItsOwn(FabricKind kind) throws Exception {
        class Row extends RemoteRecord {
            final RemoteLongArray cells = longArrayField(4);
        }
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Row row = new Row();
            row.allocate(ct);
            assertThatThrownBy(() -> row.cells.free(ct))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no block of its own");
            assertThatThrownBy(row.cells::block).isInstanceOf(IllegalStateException.class);
        });
    }
}
