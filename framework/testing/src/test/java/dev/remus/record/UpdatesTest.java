// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.junit.SimulationTest;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.FabricKind;
import dev.remus.node.TestCluster;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class UpdatesTest {
    private static final class Fields extends RemoteRecord {
        final RemoteLong number = atomic(longField());
        final RemoteRef<Fields> next = atomic(refField());
        final RemoteBoolean flag = atomic(booleanField());
        final RemoteLongArray array = atomic(longArrayField(3));
        final Atomic<Integer> small = atomic(field(Codecs.INT));
        final RemoteLong fixed = immutable(longField());

        void store(ComputeThread ct) {
            allocate(ct);
            number.stage(5, ct);
            next.stage(RdmaPtr.<Fields>nullPointer(), ct);
            flag.stage(false, ct);
            for (int i = 0; i < array.length(); i++) {
                array.stage(i, i, ct);
            }
            small.stage(7, ct);
            fixed.stage(9, ct);
            storeStaged(ct);
        }
    }

    @ParameterizedTest
    @EnumSource
    void exchangesAndUpdatesReturnTheOldValueInTwoRoundTrips(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Fields fields = new Fields();
            fields.store(ct);
            long before = ct.metrics().roundTrips();
            assertThat(fields.number.exchange(6, ct)).isEqualTo(5);
            assertThat(fields.number.update(n -> n * 2, ct)).isEqualTo(6);
            assertThat(fields.next.exchange(fields.pointer(), ct)).isZero();
            assertThat(fields.next.update(RdmaPtr::marked, ct)).isEqualTo(fields.pointer());
            assertThat(fields.array.exchange(2, 8, ct)).isEqualTo(2);
            assertThat(fields.array.update(2, n -> -n, ct)).isEqualTo(8);
            assertThat(fields.small.exchange(8, ct)).isEqualTo(7);
            assertThat(fields.small.update(n -> -n, ct)).isEqualTo(8);
            assertThat(ct.metrics().roundTrips() - before).isEqualTo(8 * 2);

            before = ct.metrics().roundTrips();
            assertThat(fields.number.load(ct)).isEqualTo(12);
            assertThat(fields.next.load(ct)).isEqualTo(RdmaPtr.marked(fields.pointer()));
            assertThat(fields.array.load(2, ct)).isEqualTo(-8);
            assertThat(fields.small.load(ct)).isEqualTo(-8);
            assertThat(ct.metrics().roundTrips() - before).isEqualTo(4);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aTruthValueIsExchangedInOneRoundTripAsIsAnyValueThatDoesNotChange(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Fields fields = new Fields();
            fields.store(ct);
            long before = ct.metrics().roundTrips();
            assertThat(fields.flag.exchange(false, ct)).isFalse();
            assertThat(fields.flag.exchange(true, ct)).isFalse();
            assertThat(fields.flag.exchange(true, ct)).isTrue();
            assertThat(fields.flag.exchange(false, ct)).isTrue();
            assertThat(fields.number.exchange(5, ct)).isEqualTo(5);
            assertThat(fields.small.update(n -> n, ct)).isEqualTo(7);
            assertThat(ct.metrics().roundTrips() - before).isEqualTo(6);
            assertThat(fields.flag.load(ct)).isFalse();
        });
    }

    @SimulationTest(schedules = 200)
    void noUpdateOfAnyThreadIsLost(Schedule schedule) throws Exception {
        new SimulatedCluster(4, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        Fields fields = new Fields();
                        fields.store(ct);
                        ct.root().set(new RdmaPtr<Fields>(fields.pointer()));
                    }
                })
                .run(ct -> {
                    Fields fields = new Fields();
                    fields.at(ct.root().get());
                    for (int i = 0; i < 3; i++) {
                        fields.number.update(n -> n + 1, ct);
                        fields.small.update(n -> n + 1, ct);
                        fields.array.update(0, n -> n + 1, ct);
                    }
                    ct.barrier();
                    assertThat(fields.number.load(ct)).isEqualTo(5 + 12);
                    assertThat(fields.small.load(ct)).isEqualTo(7 + 12);
                    assertThat(fields.array.load(0, ct)).isEqualTo(12);
                });
    }

    @ParameterizedTest
    @EnumSource
    void aWriteToAnAtomicFieldAndAnAtomicOnAnImmutableOneAreRejectedBeforeAnythingIsSent(FabricKind kind)
            throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Fields fields = new Fields();
            fields.store(ct);
            long before = ct.metrics().operations();
            Runnable[] writes = {
                () -> fields.number.store(1, ct),
                () -> fields.number.post(1, ct),
                () -> fields.number.storeStagedIn(ct.sequence()),
                () -> fields.next.store(0, ct),
                () -> fields.next.store(RdmaPtr.<Fields>nullPointer(), ct),
                () -> fields.next.store(fields, ct),
                () -> fields.next.post(fields, ct),
                () -> fields.flag.store(true, ct),
                () -> fields.flag.post(true, ct),
                () -> fields.array.store(0, 1, ct),
                () -> fields.array.post(0, 1, ct),
                () -> fields.array.store(0, 3, ct.allocateLocal(24), 0, ct),
                () -> fields.small.store(1, ct),
                () -> fields.small.storeStagedIn(ct.sequence()),
            };
            for (Runnable write : writes) {
                assertThatThrownBy(write::run)
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("declared atomic");
            }
            assertThatThrownBy(() -> fields.fixed.exchange(1, ct))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("declared immutable");
            assertThatThrownBy(() -> fields.fixed.update(n -> n, ct)).isInstanceOf(UnsupportedOperationException.class);
            assertThat(ct.metrics().operations()).isEqualTo(before);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aPointerIsStoredAndPostedAsAnObjectToo(FabricKind kind) throws Exception {
        class Link extends RemoteRecord {
            final RemoteRef<Link> next = refField();
        }
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Link link = new Link();
            link.allocate(ct);
            RdmaPtr<Link> here = new RdmaPtr<>(link.pointer());
            link.next.store(here, ct);
            assertThat(link.next.loadPointer(ct)).isEqualTo(here);
            link.next.post(here.marked(), ct);
            ct.place();
            assertThat(link.next.loadPointer(ct)).isEqualTo(here.marked());
            link.next.post(link, ct);
            ct.place();
            assertThat(link.next.load(ct)).isEqualTo(link.pointer());
            link.next.post(RdmaPtr.NULL, ct);
            ct.place();
            assertThat(link.next.load(ct)).isZero();
        });
    }

    @Test
    void onlyWordsThatMayChangeCanBeDeclaredAtomic() {
        class Wrong extends RemoteRecord {
            void declare(RemoteField field) {
                atomic(field);
            }

            RemoteField[] fields() {
                return new RemoteField[] {
                    bytesField(8),
                    arrayField(1, 8),
                    field(Codecs.UUID),
                    immutable(longField()),
                    immutable(field(Codecs.INT)),
                };
            }
        }
        Wrong wrong = new Wrong();
        for (RemoteField field : wrong.fields()) {
            assertThatThrownBy(() -> wrong.declare(field))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("declared");
        }
    }

    @Test
    void noFieldOfAVersionedRecordCanBeDeclaredAtomicSinceWritesOfTheWholeRecordChangeIt() {
        class Wrong extends VersionedRecord {
            void declareAtomicWord() {
                atomic(longField());
            }

            void declareTaggedPointer() {
                taggedRefField();
            }
        }
        Wrong wrong = new Wrong();
        assertThatThrownBy(wrong::declareAtomicWord)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("storeConsistent WRITEs all fields");
        assertThatThrownBy(wrong::declareTaggedPointer).isInstanceOf(IllegalArgumentException.class);
    }
}
