// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.FabricKind;
import dev.remus.node.TestCluster;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class AtomicTest {
    private static final Codec<Short> SHORT = Codecs.of(2, (v, b) -> b.putShort(v), b -> b.getShort());
    private static final Codec<long[]> FIVE_WORDS = Codecs.of(
            40,
            (v, b) -> {
                for (long word : v) {
                    b.putLong(word);
                }
            },
            b -> new long[] {b.getLong(), b.getLong(), b.getLong(), b.getLong(), b.getLong()});

    private static <T> Atomic<T> fresh(Codec<T> codec, ComputeThread ct) {
        long block = ct.allocate(64);
        for (int i = 0; i < 64; i += 8) {
            ct.write(block + i, -1); // earlier contents must not show through
        }
        return Atomic.at(new RdmaPtr<>(block), codec);
    }

    @ParameterizedTest
    @EnumSource
    void valuesOfUpToEightBytesAreLoadedStoredAndExchanged(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            exchange(fresh(Codecs.BOOLEAN, ct), true, false, ct);
            exchange(fresh(SHORT, ct), (short) -1, Short.MIN_VALUE, ct);
            exchange(fresh(Codecs.INT, ct), -1, Integer.MIN_VALUE, ct);
            exchange(fresh(Codecs.LONG, ct), -1L, Long.MIN_VALUE, ct);
            exchange(fresh(Codecs.DOUBLE, ct), -0.0, Double.NaN, ct);
            exchange(fresh(Codecs.ofEnum(TimeUnit.class), ct), TimeUnit.DAYS, TimeUnit.NANOSECONDS, ct);
        });
    }

    private static <T> void exchange(Atomic<T> atomic, T one, T other, ComputeThread ct) {
        atomic.store(one, ct);
        assertThat(atomic.load(ct)).isEqualTo(one);
        assertThat(atomic.compareAndExchange(other, other, ct)).isEqualTo(one);
        assertThat(atomic.load(ct)).isEqualTo(one);
        assertThat(atomic.compareAndExchange(one, other, ct)).isEqualTo(one);
        assertThat(atomic.load(ct)).isEqualTo(other);
        assertThat(atomic.compareAndSet(one, one, ct)).isFalse();
        assertThat(atomic.compareAndSet(other, one, ct)).isTrue();
        assertThat(ct.read(atomic.pointer() + 8)).isEqualTo(-1);
    }

    @ParameterizedTest
    @EnumSource
    void longerValuesAreLoadedAndStoredAndNotExchanged(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Atomic<long[]> five = fresh(FIVE_WORDS, ct);
            five.store(new long[] {1, 2, 3, 4, Long.MIN_VALUE}, ct);
            assertThat(five.load(ct)).containsExactly(1, 2, 3, 4, Long.MIN_VALUE);
            assertThat(ct.read(five.pointer() + 40)).isEqualTo(-1);
            Atomic<UUID> uuid = fresh(Codecs.UUID, ct);
            UUID some = new UUID(7, -7);
            uuid.store(some, ct);
            assertThat(uuid.load(ct)).isEqualTo(some);
            long before = ct.metrics().compareAndSwaps();
            assertThatThrownBy(() -> uuid.compareAndExchange(some, some, ct))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("16 bytes");
            assertThatThrownBy(() -> uuid.compareAndSet(some, some, ct))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> uuid.fetchAdd(1, ct)).isInstanceOf(UnsupportedOperationException.class);
            assertThat(ct.metrics().compareAndSwaps()).isEqualTo(before);
        });
    }

    @ParameterizedTest
    @EnumSource
    void fetchAndAddIsForExactlyEightBytesAndWrapsAround(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Atomic<Long> number = fresh(Codecs.LONG, ct);
            number.store(Long.MAX_VALUE, ct);
            assertThat(number.fetchAdd(1, ct)).isEqualTo(Long.MAX_VALUE);
            assertThat(number.load(ct)).isEqualTo(Long.MIN_VALUE);
            Atomic<Integer> small = fresh(Codecs.INT, ct);
            small.store(1, ct);
            assertThatThrownBy(() -> small.fetchAdd(1, ct))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("exactly 8");
            assertThat(small.load(ct)).isEqualTo(1);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aCodecThatBreaksItsContractIsReported(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            Atomic<String> liar = fresh(Codecs.of(4, (v, b) -> b.put((byte) 1), b -> ""), ct);
            assertThatThrownBy(() -> liar.store("", ct))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("4 bytes");
        });
    }

    @Test
    void aCodecOfNoBytesIsRejected() {
        assertThatThrownBy(() -> Codecs.of(0, (v, b) -> Arrays.fill(b.array(), (byte) 0), b -> 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @EnumSource
    void manyThreadsCountExactlyByCompareAndSet(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 2, 2).build(), ct -> {
            if (ct.id() == 0) {
                Atomic<Integer> made = fresh(Codecs.INT, ct);
                made.store(0, ct);
                ct.root().set(new RdmaPtr<>(made.pointer()));
            }
            ct.barrier();
            Atomic<Integer> counter = Atomic.at(ct.root().get(), Codecs.INT);
            for (int i = 0; i < 100; i++) {
                int seen = counter.load(ct);
                while (!counter.compareAndSet(seen, seen + 1, ct)) {
                    ct.pause();
                    seen = counter.load(ct);
                }
            }
            ct.barrier();
            assertThat(counter.load(ct)).isEqualTo(400);
        });
    }
}
