// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.InvalidPointerException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.FabricKind;
import dev.remus.node.Sequence;
import dev.remus.node.TestCluster;
import java.lang.management.ManagementFactory;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole records are read and written through a view's copy. */
@Timeout(120)
class RecordCopyTest {
    private static final class Thing extends RemoteRecord {
        final RemoteLong number = immutable(longField());
        final RemoteBytes bytes = bytesField(13);
        final RemoteBoolean flag = booleanField();
        final RemoteLongArray array = longArrayField(5);
        final RemoteRef<Thing> next = refField();
        final Atomic<UUID> id = field(Codecs.UUID);
    }

    private static final UUID ID = new UUID(1, -2);

    private static Thing staged(ComputeThread ct) {
        Thing thing = new Thing();
        thing.allocate(ct);
        thing.number.stage(-7, ct);
        long at = thing.bytes.stagedOffset(ct);
        thing.copy().putLong(at, 11);
        thing.copy().putLong(at + 8, 12);
        thing.flag.stage(true, ct);
        for (int i = 0; i < 5; i++) {
            thing.array.stage(i, 100 + i, ct);
        }
        thing.next.stage(thing, ct);
        thing.id.stage(ID, ct);
        return thing;
    }

    private static long roundTrips(ComputeThread ct, Runnable operation) {
        long before = ct.metrics().roundTrips();
        operation.run();
        return ct.metrics().roundTrips() - before;
    }

    @ParameterizedTest
    @EnumSource
    void aRecordIsWrittenInOneRoundTripAndReadInOne(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Thing thing = staged(ct);
            assertThat(roundTrips(ct, () -> thing.storeStaged(ct))).isEqualTo(1);
            assertThat(thing.number.load(ct)).isEqualTo(-7);
            assertThat(thing.flag.load(ct)).isTrue();
            assertThat(thing.array.load(4, ct)).isEqualTo(104);
            assertThat(thing.next.load(ct)).isEqualTo(thing.pointer());
            assertThat(thing.id.load(ct)).isEqualTo(ID);

            Thing again = new Thing();
            again.at(thing);
            assertThat(roundTrips(ct, () -> again.fetch(ct))).isEqualTo(1);
            assertThat(again.number.fetched()).isEqualTo(-7);
            assertThat(again.copy().getLong(again.bytes.fetchedOffset())).isEqualTo(11);
            assertThat(again.copy().getLong(again.bytes.fetchedOffset() + 8)).isEqualTo(12);
            assertThat(again.flag.fetched()).isTrue();
            assertThat(again.flag.hint()).isTrue();
            assertThat(again.array.fetched(0)).isEqualTo(100);
            assertThat(again.array.hint(4)).isEqualTo(104);
            assertThat(again.next.fetched()).isEqualTo(thing.pointer());
            assertThat(again.next.hint()).isEqualTo(thing.pointer());
            assertThat(again.id.fetched()).isEqualTo(ID);
            assertThatThrownBy(() -> again.array.fetched(5)).isInstanceOf(IndexOutOfBoundsException.class);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aCopyIsValidOnlyForTheFetchedRecord(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Thing thing = staged(ct);
            assertThatThrownBy(thing.number::fetched)
                    .as("staged only")
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has not been fetched");
            thing.storeStaged(ct);
            assertThat(thing.number.fetched()).as("a stored value is known").isEqualTo(-7);
            Thing other = staged(ct);
            long first = thing.pointer();
            thing.at(other);
            assertThatThrownBy(thing.number::fetched).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(thing.number::hint).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(thing.bytes::fetchedOffset).isInstanceOf(IllegalStateException.class);
            thing.next.stage(RdmaPtr.NULL, ct);
            thing.at(first);
            assertThatThrownBy(thing.number::fetched)
                    .as("back again, but values were staged for the other")
                    .isInstanceOf(IllegalStateException.class);
            Thing fresh = new Thing();
            fresh.at(first);
            assertThatThrownBy(fresh::copy).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> fresh.storeStaged(ct))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("nothing has been staged");
            assertThatThrownBy(() -> new Thing().fetch(ct)).hasMessageContaining("null pointer");
        });
    }

    private static final class Words extends RemoteRecord {
        final RemoteLongArray words;

        Words(int length) {
            words = longArrayField(length);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRecordOfAnyLengthIsFetchedWhole(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            for (int length = 1;
                    length <= 20;
                    length++) { // shared memory copies 4, 16 and more words in different ways
                Words words = new Words(length);
                words.allocate(ct);
                for (int i = 0; i < length; i++) {
                    words.words.store(i, 100L * length + i, ct);
                }
                LocalBuffer copy = words.fetch(ct);
                assertThat(copy.bytes()).isEqualTo(8L * length);
                for (int i = 0; i < length; i++) {
                    assertThat(words.words.fetched(i)).isEqualTo(100L * length + i);
                    assertThat(copy.getLong(words.words.offset() + 8L * i)).isEqualTo(100L * length + i);
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void afterAFetchThatFailedNothingIsFetched(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Thing thing = staged(ct);
            thing.storeStaged(ct);
            thing.fetch(ct);
            long pointer = thing.pointer();
            thing.at(RdmaPtr.marked(pointer));
            assertThatThrownBy(() -> thing.fetch(ct)).isInstanceOf(InvalidPointerException.class);
            assertThatThrownBy(thing.number::fetched).isInstanceOf(IllegalStateException.class);
            thing.at(pointer);
            assertThatThrownBy(thing.number::fetched).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(thing::copy).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> thing.storeStaged(ct)).isInstanceOf(IllegalStateException.class);
            thing.fetch(ct);
            assertThat(thing.number.fetched()).isEqualTo(-7);
        });
    }

    @ParameterizedTest
    @EnumSource
    void twoRecordsOfOneMemoryNodeAreFetchedInOneRoundTrip(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(2, 1, 1).build(), ct -> {
            Thing[] things = new Thing[3];
            for (int i = 0; i < 3; i++) { // dealt out to the Memory Nodes in turn
                things[i] = staged(ct);
                things[i].array.stage(0, i, ct);
                things[i].storeStaged(ct);
            }
            Thing one = new Thing();
            Thing two = new Thing();
            one.at(things[0]);
            two.at(things[2]);
            assertThat(roundTrips(ct, () -> assertThat(one.fetchWith(two, ct)).isTrue()))
                    .isEqualTo(1);
            assertThat(one.array.fetched(0)).isZero();
            assertThat(two.array.fetched(0)).isEqualTo(2);
            two.at(things[1]);
            assertThat(roundTrips(ct, () -> assertThat(one.fetchWith(two, ct)).isFalse()))
                    .isEqualTo(1);
            assertThat(one.array.fetched(0)).isZero();
            assertThatThrownBy(() -> two.array.fetched(0)).isInstanceOf(IllegalStateException.class);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aSequenceWritesARecordAndAFieldOfAnotherInOneRoundTrip(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Thing old = staged(ct);
            old.storeStaged(ct);
            Thing fresh = staged(ct);
            long roundTrips = roundTrips(ct, () -> {
                Sequence sequence = ct.sequence();
                fresh.storeStagedIn(sequence);
                old.next.stage(fresh, ct);
                old.array.stage(0, 55, ct); // a staged value that is not written
                old.next.storeStagedIn(sequence);
                sequence.execute();
            });
            assertThat(roundTrips).isEqualTo(1);
            assertThat(old.next.load(ct)).isEqualTo(fresh.pointer());
            assertThat(old.array.load(0, ct)).isEqualTo(100);
            assertThat(fresh.id.load(ct)).isEqualTo(ID);
            Thing again = new Thing();
            again.at(fresh);
            Sequence sequence = ct.sequence();
            again.fetchIn(sequence, ct);
            sequence.execute();
            assertThat(again.number.fetched()).isEqualTo(-7);
        });
    }

    @Test
    void atomicsOnAConstantFieldAreRejected() throws Exception {
        FabricKind.DIRECT.run(TestCluster.config(1, 1, 1).build(), ct -> {
            class Fixed extends RemoteRecord {
                final RemoteLong number = immutable(longField());
                final RemoteRef<Fixed> ref = immutable(refField());
                final RemoteBoolean flag = immutable(booleanField());
                final RemoteLongArray array = immutable(longArrayField(2));
                final Atomic<Long> value = immutable(field(Codecs.LONG));
            }
            Fixed fixed = new Fixed();
            fixed.allocate(ct);
            assertThat(fixed.number.isImmutable()).isTrue();
            assertThatThrownBy(() -> fixed.number.fetchAdd(1, ct))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("declared immutable");
            assertThatThrownBy(() -> fixed.number.compareAndSet(0, 1, ct))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> fixed.ref.compareAndExchange(0, 1, ct))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> fixed.flag.compareAndSet(false, true, ct))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> fixed.array.fetchAdd(0, 1, ct)).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> fixed.value.fetchAdd(1, ct)).isInstanceOf(UnsupportedOperationException.class);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"DIRECT", "LANES"})
    void fetchingAndStoringAllocateNothing(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Thing thing = staged(ct);
            Thing other = staged(ct);
            other.storeStaged(ct);
            RecordCache cache = new RecordCache(thing, 8);
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            int times = 20_000;
            long before = 0;
            long sum = 0;
            for (int i = 0; i < 2 * times; i++) {
                if (i == times) {
                    before = threads.getThreadAllocatedBytes(
                            Thread.currentThread().getId());
                }
                thing.number.stage(i, ct);
                thing.storeStaged(ct);
                thing.fetch(ct);
                sum += thing.number.fetched() + thing.next.hint();
                cache.put(thing, ct);
                sum += cache.load(thing, ct) ? thing.number.fetched() : 0;
                thing.fetchWith(other, ct);
            }
            long allocated =
                    threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
            assertThat(allocated).as("bytes, sum %d", sum).isLessThan(times);
        });
    }
}
