// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.node.FabricKind;
import dev.remus.node.TestCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class RecordPartTest {
    private static final class Interval extends RecordPart {
        final RemoteLong from = longField();
        final RemoteLong to = longField();

        Interval(RemoteRecord in) {
            super(in);
        }

        Interval(RecordPart in) {
            super(in);
        }
    }

    private static final class Times extends RecordPart {
        final Interval open = new Interval(this);
        final Interval closed = new Interval(this);

        Times(RemoteRecord in) {
            super(in);
        }
    }

    private static final class Booking extends RemoteRecord {
        final RemoteLong room = longField();
        final Times times = new Times(this);
        final RemoteLong guest = longField();
    }

    private static final class IntervalAlone extends RemoteRecord {
        final Interval interval = new Interval(this);
    }

    @ParameterizedTest
    @EnumSource
    void theFieldsOfANestedRecordAreThoseOfTheOuterOne(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Booking booking = new Booking();
            booking.allocate(ct);
            booking.room.stage(1, ct);
            booking.times.open.from.stage(2, ct);
            booking.times.open.to.stage(3, ct);
            booking.times.closed.from.stage(4, ct);
            booking.times.closed.to.stage(5, ct);
            booking.guest.stage(6, ct);
            booking.storeStaged(ct);
            assertThat(booking.bytes()).isEqualTo(48);
            assertThat(booking.times.closed.offset()).isEqualTo(24);

            Booking again = new Booking();
            again.at(booking);
            assertThat(again.times.closed.to.load(ct)).isEqualTo(5);
            again.fetch(ct);
            assertThat(again.times.open.to.fetched()).isEqualTo(3);
            assertThat(again.guest.fetched()).isEqualTo(6);

            IntervalAlone alone = new IntervalAlone();
            alone.at(again.times.closed.pointer());
            assertThat(alone.interval.from.load(ct)).isEqualTo(4);
        });
    }

    private enum Kind {
        PUT,
        TAKE,
        STOP
    }

    private static final class Put extends RecordPart {
        final RemoteLong key = longField();
        final RemoteLong value = longField();

        Put(RemoteRecord in) {
            super(in);
        }
    }

    private static final class Take extends RecordPart {
        final RemoteLong count = longField();

        Take(RemoteRecord in) {
            super(in);
        }
    }

    private static final class Message extends RemoteRecord {
        final RemoteLong sender = longField();
        final RemoteUnion<Kind> kind = new RemoteUnion<>(this, Kind.class);
        final UnionVariant<Put> put = kind.variant(Kind.PUT, Put::new);
        final UnionVariant<Take> take = kind.variant(Kind.TAKE, Take::new);
        final RemoteLong end = longField();
    }

    @ParameterizedTest
    @EnumSource
    void theKindOfAUnionDecidesWhichFieldsItHas(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Message message = new Message();
            message.allocate(ct);
            message.sender.stage(1, ct);
            Put put = message.put.stage(ct);
            put.key.stage(2, ct);
            put.value.stage(3, ct);
            message.end.stage(4, ct);
            message.storeStaged(ct);

            Message again = new Message();
            again.at(message);
            assertThat(again.kind.load(ct)).isEqualTo(Kind.PUT);
            assertThat(again.put.load(ct).value.load(ct)).isEqualTo(3);
            again.fetch(ct);
            assertThat(again.kind.fetched()).isEqualTo(Kind.PUT);
            assertThat(again.kind.hint()).isEqualTo(Kind.PUT);
            assertThat(again.put.fetched().key.fetched()).isEqualTo(2);
            assertThat(again.put.hint().key.hint()).isEqualTo(2);
            assertThat(again.end.fetched()).isEqualTo(4);

            again.take.stage(ct).count.stage(7, ct);
            again.storeStaged(ct);
            message.fetch(ct);
            assertThat(message.take.fetched().count.fetched()).isEqualTo(7);
            assertThat(message.end.fetched()).isEqualTo(4);

            message.kind.stage(Kind.STOP, ct);
            message.storeStaged(ct);
            assertThat(again.kind.load(ct)).isEqualTo(Kind.STOP);
        });
    }

    @ParameterizedTest
    @EnumSource
    void theFieldsOfAnotherKindAreRejected(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Message message = new Message();
            message.allocate(ct);
            message.take.stage(ct).count.stage(1, ct);
            message.storeStaged(ct);
            assertThatThrownBy(() -> message.put.load(ct))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the fields of PUT")
                    .hasMessageContaining("has the kind TAKE");
            assertThatThrownBy(message.put::fetched).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(message.put::hint).isInstanceOf(IllegalStateException.class);
            message.at(message.pointer() + 64);
            assertThatThrownBy(message.take::fetched)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has not been fetched");

            message.at(message.pointer() - 64);
            ct.write(message.pointer() + 8, 17);
            assertThatThrownBy(() -> message.kind.load(ct))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the kind 17, which is none of [PUT, TAKE, STOP]");
            assertThatThrownBy(() -> message.take.load(ct)).isInstanceOf(IllegalStateException.class);
        });
    }

    @Test
    void theVariantsOfAUnionLieAtTheSamePlace() {
        Message message = new Message();
        message.at(64);
        assertThat(message.bytes()).isEqualTo(8 + 8 + 16 + 8);
        assertThat(message.end.offset()).isEqualTo(32);
    }

    @Test
    void aVariantWhosePartIsNotAtThePlaceOfTheUnionIsRejected() {
        class Other extends RemoteRecord {}
        class Outer extends RemoteRecord {
            final Put before = new Put(this);
            final RemoteUnion<Kind> kind = new RemoteUnion<>(this, Kind.class);
        }
        assertThatThrownBy(() -> new Outer().kind.variant(Kind.PUT, record -> new Put(new Other())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the variant PUT of the union of Outer has a Put at offset 0 of a Other: needs a new part of"
                                + " the record that declares the union");
        Outer outer = new Outer();
        assertThatThrownBy(() -> outer.kind.variant(Kind.PUT, record -> outer.before))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a Put at offset 0 of a Outer: needs a new part");
    }

    @Test
    void aUnionWithTwoVariantsOfAKindOrFieldsInBetweenIsRejected() {
        class Twice extends RemoteRecord {
            final RemoteUnion<Kind> kind = new RemoteUnion<>(this, Kind.class);
            final UnionVariant<Put> put = kind.variant(Kind.PUT, Put::new);

            RemoteLong more() {
                return longField();
            }
        }
        Twice twice = new Twice();
        assertThat(twice.put).isNotNull();
        assertThatThrownBy(() -> twice.kind.variant(Kind.PUT, Put::new))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("PUT already");
        assertThat(twice.more().offset()).isEqualTo(24);
        assertThatThrownBy(() -> twice.kind.variant(Kind.TAKE, Take::new))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("needs all variants directly behind the union");
    }
}
