// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transfers of all sizes. */
interface ConformanceOfTransfers extends FabricUnderTest {
    long ONES = 0x1111_1111_1111_1111L;
    long TWOS = 0x2222_2222_2222_2222L;

    @ParameterizedTest
    @ValueSource(ints = {8, 16, 64, 120, 128, 136, 4096, 1 << 20, 8 << 20})
    default void writtenBytesAreReadBackAndTheirNeighboursAreUnchanged(int bytes) {
        TestEndpoints cluster = cluster().withSegmentSize(24);
        MemoryEndpoint memory = cluster.memory();
        TestClient client = cluster.client(1);
        Caller caller = client.caller(0);
        long remote = 4096 + 8; // neither page nor cache line
        LocalBuffer from = client.endpoint().allocateLocal(bytes + 16L);
        LocalBuffer to = client.endpoint().allocateLocal(bytes + 16L);
        fill(from, bytes);
        to.putLong(0, ONES);
        to.putLong(bytes + 8L, TWOS);

        caller.execute(new Chain(2)
                .write(client.segment(0), remote, from, 8, bytes)
                .read(client.segment(0), remote, to, 8, bytes));

        ByteBuffer sent = from.view(8, bytes);
        assertThat(to.view(8, bytes)).isEqualTo(sent);
        assertThat(to.getLong(0)).isEqualTo(ONES);
        assertThat(to.getLong(bytes + 8L)).isEqualTo(TWOS);
        assertThat(memory.get(0, remote - 8)).isZero();
        assertThat(memory.get(0, remote + bytes)).isZero();
        assertThat(memory.get(0, remote)).isEqualTo(sent.getLong(0));
        assertThat(memory.get(0, remote + bytes - 8)).isEqualTo(sent.getLong(bytes - 8));
    }

    @Test
    default void aWholeSegmentCanBeTransferredAtOnce() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        int bytes = TestEndpoints.SEGMENT_BYTES;
        LocalBuffer from = client.endpoint().allocateLocal(bytes);
        LocalBuffer to = client.endpoint().allocateLocal(bytes);
        fill(from, bytes - 16);
        client.caller(0)
                .execute(new Chain(2)
                        .write(client.segment(0), 0, from, 0, bytes)
                        .read(client.segment(0), 0, to, 0, bytes));
        assertThat(to.view(0, bytes)).isEqualTo(from.view(0, bytes));
        assertThat(memory.get(1, 0)).isZero();
        assertThat(memory.get(1, bytes - 8L)).isZero();
    }

    @Test
    default void wordsAreLittleEndian() {
        cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(16);
        client.caller(0).write(0, 64, 0x0807_0605_0403_0201L);
        client.caller(0).execute(new Chain(1).read(client.segment(0), 64, local, 8, 8));
        byte[] bytes = new byte[8];
        local.view(8, 8).get(bytes);
        assertThat(bytes).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 64, 4096})
    default void everyWordOfATransferIsWholeWhileAnotherNodeWrites(int bytes) {
        cluster().memory();
        TestClient writing = cluster().client(1);
        TestClient reading = cluster().client(2);
        AtomicBoolean done = new AtomicBoolean();
        runThreads(2, thread -> {
            try {
                if (thread == 0) {
                    writePatterns(writing, bytes, repetitions(3_000));
                } else {
                    readPatterns(reading, bytes, done);
                }
            } finally {
                done.set(true);
            }
        });
    }

    private static void writePatterns(TestClient client, int bytes, int times) {
        LocalBuffer local = client.endpoint().allocateLocal(2L * bytes + 8);
        for (long i = 0; i < bytes; i += 8) {
            local.putLong(i, ONES);
            local.putLong(bytes + i, TWOS);
        }
        Caller caller = client.caller(0);
        Chain chain = new Chain(3);
        for (int i = 0; i < times; i++) {
            chain.clear().write(client.segment(0), 4096, local, 0, bytes);
            chain.write(client.segment(0), 4096, local, bytes, bytes);
            caller.execute(chain.read(client.segment(1), 0, local, 2L * bytes, 8));
        }
    }

    private static void readPatterns(TestClient client, int bytes, AtomicBoolean done) {
        LocalBuffer local = client.endpoint().allocateLocal(bytes);
        Caller caller = client.caller(0);
        Chain chain = new Chain(1);
        while (!done.get()) {
            caller.execute(chain.clear().read(client.segment(0), 4096, local, 0, bytes));
            for (long i = 0; i < bytes; i += 8) {
                long word = local.getLong(i);
                if (word != ONES && word != TWOS && word != 0) {
                    throw new AssertionError("word " + i / 8 + " is torn: " + Long.toHexString(word));
                }
            }
        }
    }

    /** Data without repetition, in all words but the first and the last. */
    private static void fill(LocalBuffer local, int bytes) {
        SplittableRandom random = new SplittableRandom(bytes);
        for (long i = 8; i < bytes + 8L; i += 8) {
            local.putLong(i, random.nextLong() | 1);
        }
    }
}
