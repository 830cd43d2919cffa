// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.InvalidPointerException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.FabricKind;
import dev.remus.node.TestCluster;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class RemoteRecordTest {
    private static final class Thing extends RemoteRecord {
        final RemoteLong number = longField();
        final RemoteBytes bytes = bytesField(13);
        final RemoteBoolean flag = booleanField();
        final RemoteLongArray array = longArrayField(5);
        final RemoteRef<Thing> next = refField();
        final Atomic<Integer> small = field(Codecs.INT);
    }

    @Test
    void fieldsLieInTheOrderOfTheirDeclarationInWholeWords() {
        Thing thing = new Thing();
        thing.at(RdmaPtr.raw(0, 0, 64));
        assertThat(thing.bytes()).isEqualTo(8 + 16 + 8 + 40 + 8 + 8);
        assertThat(thing.number.pointer()).isEqualTo(64);
        assertThat(thing.bytes.pointer()).isEqualTo(72);
        assertThat(thing.bytes.bytes()).isEqualTo(16);
        assertThat(thing.flag.pointer()).isEqualTo(88);
        assertThat(thing.array.pointer(0)).isEqualTo(96);
        assertThat(thing.array.pointer(4)).isEqualTo(128);
        assertThat(thing.next.pointer()).isEqualTo(136);
        assertThat(thing.small.pointer()).isEqualTo(144);
        assertThat(thing).hasToString("Thing at (node 0, segment 0, offset 0x40)");
    }

    @ParameterizedTest
    @EnumSource
    void everyFieldHoldsWhatWasStoredAndTouchesNoOther(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Thing thing = new Thing();
            assertThat(thing.allocate(ct)).isEqualTo(thing.pointer());
            thing.number.store(-1, ct);
            thing.bytes.store(
                    ByteBuffer.wrap("sixteen letters!".getBytes(java.nio.charset.StandardCharsets.US_ASCII)), ct);
            thing.flag.store(true, ct);
            for (int i = 0; i < 5; i++) {
                thing.array.post(i, 100 + i, ct);
            }
            ct.place();
            thing.next.store(thing, ct);
            thing.small.store(7, ct);

            Thing again = new Thing();
            again.at(new RdmaPtr<>(thing.pointer()));
            assertThat(again.isAt(thing)).isTrue();
            assertThat(again.number.load(ct)).isEqualTo(-1);
            ByteBuffer bytes = ByteBuffer.allocate(16);
            again.bytes.load(bytes, ct);
            assertThat(bytes.array()).asString().isEqualTo("sixteen letters!");
            assertThat(again.flag.load(ct)).isTrue();
            for (int i = 0; i < 5; i++) {
                assertThat(again.array.load(i, ct)).isEqualTo(100 + i);
            }
            assertThat(again.next.load(ct)).isEqualTo(thing.pointer());
            assertThat(again.small.load(ct)).isEqualTo(7);

            assertThat(thing.number.fetchAdd(2, ct)).isEqualTo(-1);
            assertThat(thing.number.compareAndExchange(0, 5, ct)).isEqualTo(1);
            assertThat(thing.number.compareAndSet(1, 5, ct)).isTrue();
            assertThat(thing.flag.compareAndSet(false, true, ct)).isFalse();
            assertThat(thing.flag.compareAndSet(true, false, ct)).isTrue();
            assertThat(thing.array.fetchAdd(4, 1, ct)).isEqualTo(104);
            assertThat(thing.array.compareAndExchange(4, 105, 1, ct)).isEqualTo(105);
            assertThat(thing.array.compareAndSet(4, 0, 2, ct)).isFalse();
            assertThat(thing.next.compareAndExchange(0, 8, ct)).isEqualTo(thing.pointer());
            assertThat(thing.next.compareAndSet(thing.pointer(), RdmaPtr.marked(thing.pointer()), ct))
                    .isTrue();
            assertThat(again.next.loadUnmarked(ct)).isEqualTo(thing.pointer());
            assertThat(again.next.loadPointer(ct).isMarked()).isTrue();
            thing.next.store(RdmaPtr.NULL, ct);
            assertThat(again.next.loadPointer(ct).isNull()).isTrue();
            assertThat(again.array.load(4, ct)).isEqualTo(1);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aViewOfNoRecordIsRejectedForEachOfItsFields(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            ct.allocate(1024); // there are blocks behind the header, at null plus 64 and more
            Thing thing = new Thing();
            assertThat(thing.pointer()).isZero();
            assertThatThrownBy(() -> thing.number.load(ct)).isInstanceOf(InvalidPointerException.class);
            assertThatThrownBy(() -> thing.next.store(0, ct))
                    .isInstanceOf(InvalidPointerException.class)
                    .hasMessageContaining("null pointer")
                    .hasMessageContaining("Thing");
            assertThatThrownBy(() -> thing.small.store(1, ct)).isInstanceOf(InvalidPointerException.class);
            assertThatThrownBy(() -> thing.array.load(4, ct)).isInstanceOf(InvalidPointerException.class);
            assertThatThrownBy(() -> thing.free(ct)).isInstanceOf(InvalidPointerException.class);
        });
    }

    @ParameterizedTest
    @EnumSource
    void indexesAndLengthsOutsideAFieldAreRejected(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Thing thing = new Thing();
            thing.allocate(ct);
            for (int i : new int[] {-1, 5, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                assertThatThrownBy(() -> thing.array.load(i, ct))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContaining("element " + i);
            }
            assertThatThrownBy(() -> thing.bytes.store(ByteBuffer.allocate(24), ct))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> thing.bytes.load(ByteBuffer.allocate(12), ct))
                    .isInstanceOf(InvalidPointerException.class)
                    .hasMessageContaining("12 bytes");
        });
    }

    @Test
    void aFieldThatStartsALineIsAtAMultipleOfSixtyFour() {
        class Lines extends RemoteRecord {
            private final RemoteLong first;
            private final RemoteLong second;
            private final RemoteLong third;

            Lines() {
                startLine();
                first = longField();
                startLine();
                second = longField();
                third = longField();
                startLine();
                at(6400);
            }
        }
        Lines lines = new Lines();
        assertThat(lines.first.pointer()).isEqualTo(6400);
        assertThat(lines.second.pointer()).isEqualTo(6464);
        assertThat(lines.third.pointer()).isEqualTo(6472);
        assertThat(lines.bytes()).isEqualTo(128);
    }

    @Test
    void elementsOfAnArrayLieOneBehindTheOtherInWholeWordsOrLines() {
        class Arrays extends RemoteRecord {
            final RemoteLong first = longField();
            final RemoteArray words = arrayField(3, 13);
            final RemoteArray lines = lineArrayField(2, 65);
            final RemoteLong last = longField();
        }
        Arrays arrays = new Arrays();
        arrays.at(6400);
        assertThat(arrays.first.pointer()).isEqualTo(6400);
        assertThat(arrays.words.stride()).isEqualTo(16);
        assertThat(arrays.words.pointer(0)).isEqualTo(6408);
        assertThat(arrays.words.pointer(2)).isEqualTo(6440);
        assertThat(arrays.lines.length()).isEqualTo(2);
        assertThat(arrays.lines.pointer(0)).isEqualTo(6464);
        assertThat(arrays.lines.pointer(1)).isEqualTo(6592);
        assertThat(arrays.last.pointer()).isEqualTo(6720);
        assertThatThrownBy(() -> arrays.words.pointer(3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> arrays.words.pointer(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @ParameterizedTest
    @EnumSource
    void allWordsOfAnArrayAreLoadedInOneRoundTrip(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Thing thing = new Thing();
            thing.allocate(ct);
            for (int i = 0; i < 5; i++) {
                thing.array.store(i, 100 + i, ct);
            }
            LocalBuffer words = ct.allocateLocal(5 * Long.BYTES);
            long before = ct.metrics().roundTrips();
            thing.array.load(words, ct);
            assertThat(ct.metrics().roundTrips() - before).isEqualTo(1);
            for (int i = 0; i < 5; i++) {
                assertThat(words.getLong(8L * i)).isEqualTo(100 + i);
            }
        });
    }

    @Test
    void fieldsWithoutASizeAreRejected() {
        class Bad extends RemoteRecord {
            Bad(int words, int bytes) {
                longArrayField(words);
                bytesField(bytes);
                arrayField(words, bytes);
            }
        }
        assertThatThrownBy(() -> new Bad(0, 8)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Bad(1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(new Bad(Integer.MAX_VALUE, 8).bytes()).isEqualTo(2 * 8L * Integer.MAX_VALUE + 8);
    }

    @Test
    void fieldsThatNoSegmentHasRoomForAreRejectedBeforeTheirSizeOverflows() {
        class Record extends RemoteRecord {
            Record(int elements, long bytes) {
                arrayField(elements, bytes);
                bytesField(bytes);
            }

            Record(long bytes) {
                bytesField(bytes);
            }
        }
        assertThatThrownBy(() -> new Record(Integer.MAX_VALUE, 1L << 40))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "an array of 2147483647 elements of 1099511627776 bytes: needs at most 281474976710655 bytes"
                                + " in all, since no segment is larger");
        assertThatThrownBy(() -> new Record(3, 1L << 47)).hasMessageContaining("an array of 3 elements");
        assertThatThrownBy(() -> new Record(1, 1L << 47)).hasMessageStartingWith("a size of 281474976710656 bytes");
        assertThatThrownBy(() -> new Record(Long.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a size of 9223372036854775807 bytes: needs at most 281474976710655, since no segment is"
                        + " larger");
        assertThatThrownBy(() -> new Record(1, Long.MAX_VALUE - 3)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @EnumSource
    void aFreedRecordIsTheNextToBeAllocated(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).checkMemory(true).build(), ct -> {
            Thing thing = new Thing();
            long first = thing.allocate(ct);
            thing.free(ct);
            assertThat(thing.allocate(ct)).isEqualTo(first);
            thing.schedReclaim(ct);
            assertThat(ct.reclaimDeferred()).isEqualTo(1);
            assertThat(thing.allocate(ct)).isEqualTo(first);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"DIRECT", "LANES"})
    void aHundredThousandFetchedViewsFitIntoAJvmOf256MiB(FabricKind kind) throws Exception {
        BufferPoolMXBean direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .findFirst()
                .orElseThrow();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            long self = Thread.currentThread().getId();
            long thing = new Thing().allocate(ct);
            Thing[] kept = new Thing[100_000];
            long before = direct.getMemoryUsed();
            long allocatedBefore = threads.getThreadAllocatedBytes(self);
            for (int i = 0; i < kept.length; i++) {
                kept[i] = new Thing();
                kept[i].at(thing);
                kept[i].fetch(ct);
            }
            assertThat(direct.getMemoryUsed() - before).isLessThan(32 << 20);
            assertThat(threads.getThreadAllocatedBytes(self) - allocatedBefore)
                    .as("bytes of the heap")
                    .isBetween(1L, 192L << 20);
            assertThat(kept[kept.length - 1].isAt(thing)).isTrue();
        });
    }
}
