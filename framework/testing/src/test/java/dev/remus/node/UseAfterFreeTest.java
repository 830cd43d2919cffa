// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.InvalidFreeException;
import dev.remus.memory.InvalidPointerException;
import dev.remus.memory.MixedAccessException;
import dev.remus.memory.RdmaPtr;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@code --check-memory} reports of accesses, with the exact messages. Thread 0 frees, thread 1 errs. */
@Timeout(120)
class UseAfterFreeTest {
    private static final int BYTES = 192;

    private static ClusterConfig config() {
        return TestCluster.config(2, 2, 1).segmentSizeLog2(14).checkMemory(true).build();
    }

    /** All ways to access 8 bytes at a pointer, by the operation that a message names. */
    private static Map<ThrowingCallable, String> accesses(ComputeThread ct, long word) {
        LocalBuffer local = ct.allocateLocal(8);
        Map<ThrowingCallable, String> all = new LinkedHashMap<>();
        all.put(() -> ct.read(word), "READ");
        all.put(() -> ct.read(word, local), "READ");
        all.put(() -> ct.read(word, local, 0, 8), "READ");
        all.put(() -> ct.read(word, ByteBuffer.allocate(8)), "READ");
        all.put(() -> ct.async().read(word), "READ");
        all.put(() -> ct.async().read(word, local, 0, 8), "READ");
        all.put(() -> ct.sequence().read(word, local, 0, 8), "READ");
        all.put(() -> ct.write(word, 1), "WRITE");
        all.put(() -> ct.post(word, 1), "WRITE");
        all.put(() -> ct.write(word, local, 0, 8), "WRITE");
        all.put(() -> ct.write(word, ByteBuffer.allocate(8)), "WRITE");
        all.put(() -> ct.async().write(word, 1), "WRITE");
        all.put(() -> ct.async().write(word, local, 0, 8), "WRITE");
        all.put(() -> ct.sequence().write(word, local, 0, 8), "WRITE");
        all.put(() -> ct.compareAndSwap(word, 0, 1), "COMPARE_AND_SWAP");
        all.put(() -> ct.async().compareAndSwap(word, 0, 1), "COMPARE_AND_SWAP");
        all.put(() -> ct.sequence().compareAndSwap(word, 0, 1, local, 0), "COMPARE_AND_SWAP");
        all.put(() -> ct.lockWords().tryAcquire(word, 1), "COMPARE_AND_SWAP");
        all.put(() -> ct.fetchAndAdd(word, 1), "FETCH_AND_ADD");
        all.put(() -> ct.postFetchAndAdd(word, 1), "FETCH_AND_ADD");
        all.put(() -> ct.async().fetchAndAdd(word, 1), "FETCH_AND_ADD");
        all.put(() -> ct.sequence().fetchAndAdd(word, 1, local, 0), "FETCH_AND_ADD");
        return all;
    }

    /** The time at the end of a message, which is a time of this test. */
    private static void checkTime(String message, Instant begin) {
        Instant given = Instant.parse(message.substring(message.lastIndexOf(' ') + 1));
        assertThat(given).isBetween(begin.minusMillis(1), Instant.now());
    }

    private static String withoutTime(Throwable e) {
        return e.getMessage().substring(0, e.getMessage().lastIndexOf(' '));
    }

    @ParameterizedTest
    @EnumSource
    void everyAccessToABlockThatAnotherNodeHasFreedIsReportedWithWhoFreedItAndWhen(FabricKind kind) throws Exception {
        Instant begin = Instant.now();
        kind.run(config(), ct -> {
            if (ct.id() == 0) {
                long block = ct.allocate(BYTES);
                ct.root().set(new RdmaPtr<>(block));
                ct.free(block, BYTES);
            }
            ct.barrier();
            long block = ct.root().get().raw();
            for (long word : new long[] {block, block + 56, block + 64, block + BYTES - 8}) {
                accesses(ct, word).forEach((access, operation) -> {
                    Throwable e = catchThrowable(access);
                    assertThat(e).isInstanceOf(InvalidPointerException.class);
                    assertThat(((InvalidPointerException) e).pointer()).isEqualTo(word);
                    assertThat(withoutTime(e))
                            .isEqualTo(operation + " of 8 bytes at pointer (" + RdmaPtr.toString(word)
                                    + "): the block at (" + RdmaPtr.toString(block) + "), 192 bytes long,"
                                    + " is free: Compute Thread 0 of Compute Node 2 freed it at");
                    checkTime(e.getMessage(), begin);
                });
            }
            ct.barrier();
        });
    }

    @ParameterizedTest
    @EnumSource
    void aTransferThatIncludesAWordOfAFreeBlockIsReported(FabricKind kind) throws Exception {
        kind.run(config(), ct -> {
            if (ct.id() == 0) {
                long first = ct.allocateOn(0, 64);
                long second = ct.allocateOn(0, 8192);
                assertThat(second).isEqualTo(first + 64);
                LocalBuffer local = ct.allocateLocal(8192);
                ct.write(first, local, 0, 8192);
                ct.free(second, 8192);
                ct.write(first, local, 0, 64);
                for (long start : new long[] {first, first + 56, second + 64, second + 4096}) {
                    assertThat(catchThrowable(() -> ct.write(start, local, 0, 128)))
                            .hasMessageContaining("the block at (" + RdmaPtr.toString(second) + ")");
                }
                assertThat(ct.allocateOn(0, 8192)).isEqualTo(second);
                ct.free(first, 64);
                ct.write(second, local, 0, 8192);
                assertThat(catchThrowable(() -> ct.read(first, local, 0, 8192)))
                        .hasMessageContaining("the block at (" + RdmaPtr.toString(first) + ")");
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aSecondFreeIsReportedWithWhoFreedTheBlockAndWhen(FabricKind kind) throws Exception {
        Instant begin = Instant.now();
        kind.run(config(), ct -> {
            if (ct.id() == 0) {
                long block = ct.allocate(64);
                ct.root().set(new RdmaPtr<>(block));
                ct.schedReclaim(block, 64);
            }
            ct.barrier();
            long block = ct.root().get().raw();
            String given = "the block at (" + RdmaPtr.toString(block) + ") is given back with 64 bytes, but ";
            String giver = ", with 64 bytes: Compute Thread 0 of Compute Node 2 retired it at";
            Throwable e = catchThrowable(() -> ct.free(block, 64));
            assertThat(e).isInstanceOf(InvalidFreeException.class);
            assertThat(withoutTime(e)).isEqualTo(given + "it has been given to schedReclaim already" + giver);
            checkTime(e.getMessage(), begin);
            ct.barrier();
            if (ct.id() == 0) {
                ct.reclaimDeferred();
            }
            ct.barrier();
            e = catchThrowable(() -> ct.schedReclaim(block, 64));
            assertThat(e).isInstanceOf(InvalidFreeException.class);
            assertThat(withoutTime(e)).isEqualTo(given + "it is free already" + giver);
            checkTime(e.getMessage(), begin);
            ct.barrier();
        });
    }

    @ParameterizedTest
    @EnumSource
    void aRetiredBlockMayBeUsedUntilItIsReclaimed(FabricKind kind) throws Exception {
        kind.run(config(), ct -> {
            if (ct.id() == 0) {
                long block = ct.allocate(BYTES);
                ct.write(block, 7);
                ct.root().set(new RdmaPtr<>(block));
                ct.schedReclaim(block, BYTES);
            }
            ct.barrier();
            long block = ct.root().get().raw();
            if (ct.id() == 1) {
                assertThat(ct.read(block)).isEqualTo(7);
                ct.write(block + 8, 1);
                ct.fetchAndAdd(block + BYTES - 8, 1);
            }
            ct.barrier();
            if (ct.id() == 0) {
                ct.reclaimDeferred();
            }
            ct.barrier();
            assertThat(catchThrowable(() -> ct.read(block)))
                    .hasMessageContaining("is free: Compute Thread 0 of Compute Node 2 retired it at ");
            ct.barrier();
        });
    }

    @ParameterizedTest
    @EnumSource
    void onlyReadsThatAreValidatedMayMeetAFreeBlock(FabricKind kind) throws Exception {
        kind.run(config(), ct -> {
            if (ct.id() == 0) {
                long block = ct.allocate(BYTES);
                ct.free(block, BYTES);
                ValidatedReads outer = new ValidatedReads();
                ValidatedReads inner = new ValidatedReads();
                accesses(ct, block + 64).forEach((access, operation) -> {
                    outer.begin(ct);
                    try (outer) {
                        assertThat(catchThrowable(() -> outer.begin(ct))).hasMessageContaining("has begun already");
                        inner.begin(ct);
                        try (inner) {
                            assertThat(catchThrowable(access) == null).isEqualTo(operation.equals("READ"));
                        }
                        assertThat(catchThrowable(access) == null).isEqualTo(operation.equals("READ"));
                    }
                    assertThat(catchThrowable(access)).isInstanceOf(InvalidPointerException.class);
                });
                ct.async().awaitAll();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aWriteToAWordThatAnotherNodeHasChangedByAnAtomicIsReported(FabricKind kind) throws Exception {
        kind.run(config(), ct -> {
            if (ct.id() == 0) {
                long block = ct.allocate(BYTES);
                ct.write(block + 64, 5); // before the atomic, as an initial value
                ct.fetchAndAdd(block + 64, 1);
                ct.compareAndSwap(block + 184, 0, 1);
                ct.root().set(new RdmaPtr<>(block));
            }
            ct.barrier();
            long block = ct.root().get().raw();
            for (long word : new long[] {block + 64, block + 184}) {
                accesses(ct, word).forEach((access, operation) -> {
                    Throwable e = catchThrowable(access);
                    if (!operation.equals("WRITE")) {
                        assertThat(e).isNull();
                        return;
                    }
                    assertThat(e).isInstanceOf(MixedAccessException.class);
                    assertThat(((MixedAccessException) e).pointer()).isEqualTo(word);
                    assertThat(e)
                            .hasMessage("WRITE of 8 bytes at pointer (" + RdmaPtr.toString(word)
                                    + "): an atomic was executed on the word at (" + RdmaPtr.toString(word)
                                    + ") since its block was allocated. Atomics are not atomic with respect to WRITEs:"
                                    + " change it by compareAndSwap or fetchAndAdd only");
                });
            }
            ct.async().awaitAll();
            ct.place();
            ct.barrier();
        });
    }

    @ParameterizedTest
    @EnumSource
    void aLongWriteMayGoAroundTheWordsThatAtomicsUseButNotOverThem(FabricKind kind) throws Exception {
        kind.run(config(), ct -> {
            if (ct.id() == 0) {
                long block = ct.allocate(BYTES);
                LocalBuffer local = ct.allocateLocal(BYTES);
                ct.write(block, local, 0, BYTES);
                ct.fetchAndAdd(block + 72, 1);
                ct.write(block, local, 0, 72);
                ct.write(block + 80, local, 0, BYTES - 80);
                for (int start : new int[] {0, 64, 72}) {
                    assertThat(catchThrowable(() -> ct.write(block + start, local, 0, 80)))
                            .isInstanceOfSatisfying(
                                    MixedAccessException.class,
                                    e -> assertThat(e.pointer()).isEqualTo(block + 72));
                }
                ct.free(block, BYTES);
                assertThat(ct.allocate(BYTES)).isEqualTo(block);
                assertThatCode(() -> ct.write(block, local, 0, BYTES)).doesNotThrowAnyException();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void checksAreNotCountedAsOperationsOfTheThread(FabricKind kind) throws Exception {
        kind.run(config(), ct -> {
            long block = ct.allocate(BYTES);
            long before = ct.metrics().operations();
            long roundTrips = ct.metrics().roundTrips();
            ct.read(block + 64);
            ct.fetchAndAdd(block + 64, 1);
            assertThat(ct.metrics().operations()).isEqualTo(before + 2);
            assertThat(ct.metrics().roundTrips()).isEqualTo(roundTrips + 2);
        });
    }
}
