// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.node.ComputeThread;
import dev.remus.node.FabricKind;
import dev.remus.node.Sequence;
import dev.remus.node.TestCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class RecordCacheTest {
    private static final class Thing extends RemoteRecord {
        final RemoteLong key = immutable(longField());
        final RemoteLong changing = longField();
    }

    private interface Body {
        void run(ComputeThread ct);
    }

    private static void with(Body body) throws Exception {
        FabricKind.DIRECT.run(TestCluster.config(1, 1, 1).build(), body::run);
    }

    private static Thing thing(long key, ComputeThread ct) {
        Thing thing = new Thing();
        thing.allocate(ct);
        thing.key.stage(key, ct);
        thing.changing.stage(10 * key, ct);
        thing.storeStaged(ct);
        return thing;
    }

    @Test
    void aNullPointerHasNoCopyAndToForgetItChangesNothing() throws Exception {
        with(ct -> {
            RecordCache cache = new RecordCache(new Thing(), 4);
            Thing thing = thing(5, ct);
            cache.put(thing, ct);
            assertThat(cache.load(new Thing(), ct)).isFalse();
            cache.forget(new Thing().pointer(), ct);
            assertThat(cache.size()).isEqualTo(1);
            assertThat(cache.load(thing, ct)).isTrue();
        });
    }

    @Test
    void aCopyIsValidForConstantFieldsAndAHintForOthers() throws Exception {
        with(ct -> {
            RecordCache cache = new RecordCache(new Thing(), 16);
            Thing thing = thing(5, ct);
            Thing view = new Thing();
            view.at(thing);
            assertThat(cache.load(view, ct)).isFalse();
            cache.put(thing, ct);
            thing.changing.store(77, ct);
            long before = ct.metrics().roundTrips();
            assertThat(cache.load(view, ct)).isTrue();
            assertThat(view.key.fetched()).isEqualTo(5);
            assertThat(view.changing.hint()).isEqualTo(50);
            assertThat(ct.metrics().roundTrips()).isEqualTo(before);
            assertThatThrownBy(view.changing::fetched)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("from a cache");
            assertThat(ct.metrics().cacheHits()).isEqualTo(1);
            assertThat(ct.metrics().cacheMisses()).isEqualTo(1);
            assertThat(ct.metrics()).asString().contains("cache hits 1, misses 1");
            view.fetch(ct);
            assertThat(view.changing.fetched()).isEqualTo(77);
            cache.put(view, ct);
            assertThat(cache.load(view, ct)).isTrue();
            assertThat(view.changing.hint()).as("the newer copy").isEqualTo(77);
            assertThat(cache.size()).isEqualTo(1);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8, 64, 100, 512})
    void itNeverExceedsItsLimitAndNeverReturnsAnotherRecord(int records) throws Exception {
        with(ct -> {
            RecordCache cache = new RecordCache(new Thing(), records);
            assertThat(cache.capacity()).isBetween(records / 2 + 1, records);
            Thing[] things = new Thing[300];
            for (int i = 0; i < things.length; i++) {
                things[i] = thing(i, ct);
                cache.put(things[i], ct);
                assertThat(cache.load(things[i], ct)).as("the one put last").isTrue();
                assertThat(cache.size()).isLessThanOrEqualTo(records);
            }
            int found = 0;
            Thing view = new Thing();
            for (int i = 0; i < things.length; i++) {
                view.at(things[i]);
                if (cache.load(view, ct)) {
                    found++;
                    assertThat(view.key.fetched()).isEqualTo(i);
                    assertThat(view.changing.hint()).isEqualTo(10L * i);
                }
            }
            assertThat(found).isEqualTo(cache.size());
            if (records == 512) {
                assertThat(found).as("room for all").isEqualTo(things.length);
            }
        });
    }

    @Test
    void everythingIsDroppedWhenMemoryMayHaveBeenReclaimed() throws Exception {
        with(ct -> {
            RecordCache cache = new RecordCache(new Thing(), 16);
            Thing thing = thing(1, ct);
            long spare = ct.allocate(64);
            Body[] ends = {ComputeThread::barrier, ComputeThread::reclaimDeferred, c -> c.free(spare, 64)};
            int drops = 0;
            for (Body end : ends) {
                thing.fetch(ct);
                cache.put(thing, ct);
                assertThat(cache.load(thing, ct)).isTrue();
                end.run(ct);
                assertThat(cache.load(thing, ct)).isFalse();
                assertThat(cache.size()).isZero();
                assertThat(ct.metrics().cacheDrops()).isEqualTo(++drops);
            }
        });
    }

    private static final class Stamped extends RemoteRecord {
        final RemoteLong key = immutable(longField());
        final RemoteRef<Stamped> next = refField();

        Stamped() {
            stampField();
        }
    }

    private static Stamped stamped(long key, ComputeThread ct) {
        Stamped thing = new Stamped();
        thing.allocate(ct);
        thing.key.stage(key, ct);
        thing.stageStamp(ct);
        thing.storeStaged(ct);
        return thing;
    }

    @Test
    void copiesOfRecordsWithAStampOutliveTheReuseOfMemoryAndPassForTheirOwnRecordOnly() throws Exception {
        with(ct -> {
            RecordCache cache = new RecordCache(new Stamped(), 16);
            Stamped first = stamped(1, ct);
            cache.put(first, ct);
            ct.barrier();
            assertThat(cache.load(first, ct)).isTrue();
            assertThat(cache.loadedEpoch()).isNotEqualTo(ct.reclamationEpoch());
            assertThat(first.key.fetched()).isEqualTo(1);
            first.fetch(ct);
            assertThat(cache.isSame(first, ct)).isTrue();
            cache.put(first, ct);
            assertThat(cache.load(first, ct)).isTrue();
            assertThat(cache.loadedEpoch()).isEqualTo(ct.reclamationEpoch());

            first.free(ct);
            Stamped second = stamped(2, ct);
            assertThat(second.isAt(first)).as("the block is reused").isTrue();
            second.fetch(ct);
            assertThat(cache.isSame(second, ct)).isFalse();
            assertThat(cache.load(first, ct)).as("the copy is gone").isFalse();
            assertThat(cache.isSame(second, ct)).as("without a copy").isFalse();
        });
    }

    @Test
    void aRecordWhoseStampIsErasedIsNotKept() throws Exception {
        with(ct -> {
            RecordCache cache = new RecordCache(new Stamped(), 16);
            Stamped thing = stamped(1, ct);
            cache.put(thing, ct);
            thing.stageErasedStamp(ct);
            Sequence sequence = ct.sequence();
            thing.storeStagedStampIn(sequence);
            sequence.execute();
            thing.fetch(ct);
            assertThat(cache.isSame(thing, ct)).isFalse();
            cache.put(thing, ct);
            assertThat(cache.load(thing, ct)).isFalse();
            assertThat(cache.size()).isZero();
        });
    }

    @Test
    void aRecordHasOneStamp() throws Exception {
        class Twice extends RemoteRecord {
            Twice() {
                stampField();
                stampField();
            }
        }
        with(ct -> assertThatThrownBy(Twice::new)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has a stamp already"));
    }

    @Test
    void aMarkAndTheStampBehindItAreWrittenTogether() throws Exception {
        with(ct -> {
            Stamped thing = stamped(1, ct);
            thing.next.stage(64, ct);
            thing.stageErasedStamp(ct);
            long before = ct.metrics().writes();
            Sequence sequence = ct.sequence();
            thing.next.storeStagedWithStampIn(sequence);
            sequence.execute();
            assertThat(ct.metrics().writes()).isEqualTo(before + 1);
            assertThat(thing.next.load(ct)).isEqualTo(64);
            assertThat(ct.read(thing.pointer() + thing.stampOffset())).isZero();
        });
    }

    @Test
    void aFieldWithoutAStampBehindItIsNotWrittenWithOne() throws Exception {
        class Apart extends RemoteRecord {
            final RemoteRef<Apart> next = refField();

            Apart() {
                longField();
                stampField();
            }
        }
        class None extends RemoteRecord {
            final RemoteRef<None> next = refField();
        }
        with(ct -> {
            assertThatThrownBy(() -> new Apart().next.storeStagedWithStampIn(ct.sequence()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is not right behind");
            assertThatThrownBy(() -> new None().next.storeStagedWithStampIn(ct.sequence()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has no stamp");
        });
    }

    @Test
    void aViewOfADroppedCopyIsRejected() throws Exception {
        with(ct -> {
            RecordCache cache = new RecordCache(new Thing(), 1);
            Thing first = thing(1, ct);
            cache.put(first, ct);
            assertThat(cache.load(first, ct)).isTrue();
            cache.put(thing(2, ct), ct);
            assertThatThrownBy(first.key::fetched)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("changed since");
            assertThatThrownBy(first.changing::hint).isInstanceOf(IllegalStateException.class);
        });
    }

    @Test
    void aForgottenRecordIsNotFoundAndOthersAre() throws Exception {
        with(ct -> {
            RecordCache cache = new RecordCache(new Thing(), 16);
            Thing first = thing(1, ct);
            Thing second = thing(2, ct);
            cache.put(first, ct);
            cache.put(second, ct);
            cache.forget(first.pointer(), ct);
            cache.forget(first.pointer(), ct);
            assertThat(cache.load(first, ct)).isFalse();
            assertThat(cache.load(second, ct)).isTrue();
        });
    }

    @Test
    void withoutRoomItHoldsNothing() throws Exception {
        with(ct -> {
            RecordCache cache = new RecordCache(new Thing(), 0);
            Thing thing = thing(1, ct);
            cache.put(thing, ct);
            assertThat(cache.load(thing, ct)).isFalse();
            assertThat(cache.capacity()).isZero();
        });
    }

    @Test
    void recordsThatCannotBeCachedAreRejected() throws Exception {
        with(ct -> {
            class Other extends RemoteRecord {
                final RemoteLong only = longField();
            }
            RecordCache cache = new RecordCache(new Thing(), 4);
            Other other = new Other();
            other.allocate(ct);
            other.fetch(ct);
            assertThat(other.only.hint()).isEqualTo(other.only.fetched());
            assertThatThrownBy(() -> cache.put(other, ct)).isInstanceOf(IllegalArgumentException.class);
            Thing notFetched = new Thing();
            notFetched.allocate(ct);
            assertThatThrownBy(() -> cache.put(notFetched, ct)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> new RecordCache(new Thing(), -1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("cacheRecords");
            assertThatThrownBy(() -> new RecordCache(new Thing(), Integer.MAX_VALUE))
                    .isInstanceOf(IllegalArgumentException.class);
        });
    }
}
