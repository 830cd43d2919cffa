// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.InvalidFreeException;
import dev.remus.memory.RdmaPtr;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class FreeingTest {
    private static ClusterConfig config(boolean checkMemory) {
        return TestCluster.config(2, 2, 1)
                .segmentSizeLog2(14)
                .checkMemory(checkMemory)
                .build();
    }

    @ParameterizedTest
    @EnumSource
    void theLastFreedBlockIsTheNextOneOfItsSize(FabricKind kind) throws Exception {
        for (boolean checkMemory : new boolean[] {false, true}) {
            kind.run(config(checkMemory), ct -> {
                long small = ct.allocate(64);
                long large = ct.allocate(6400);
                ct.free(small, 50);
                ct.free(large, 6400);
                assertThat(ct.allocate(128)).isNotEqualTo(small).isNotEqualTo(large);
                assertThat(ct.allocate(1)).isEqualTo(small);
                assertThat(ct.allocate(6399)).isEqualTo(large);
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFreeBlockOfAMemoryNodeIsFoundAmongThoseOfOthers(FabricKind kind) throws Exception {
        for (boolean checkMemory : new boolean[] {false, true}) {
            kind.run(config(checkMemory), ct -> {
                int node = ct.config().firstMemoryNode();
                long wanted = ct.allocateOn(node, 64);
                long other = ct.allocateOn(node + 1, 64);
                ct.free(wanted, 64);
                ct.free(other, 64);
                long before = ct.metrics().roundTrips();
                assertThat(ct.allocateOn(node, 64)).isEqualTo(wanted);
                assertThat(ct.allocateOn(node + 1, 64)).isEqualTo(other);
                if (!checkMemory) {
                    assertThat(ct.metrics().roundTrips()).isEqualTo(before);
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void aThreadThatFreesABlockTwiceGetsAnException(FabricKind kind) throws Exception {
        for (boolean checkMemory : new boolean[] {false, true}) {
            kind.run(config(checkMemory), ct -> {
                long a = ct.allocate(64);
                long b = ct.allocate(64);
                ct.free(a, 64);
                ct.schedReclaim(b, 64);
                for (long block : new long[] {a, b}) {
                    refused(block, () -> ct.free(block, 64));
                    refused(block, () -> ct.schedReclaim(block, 64));
                }
                ct.reclaimDeferred();
                refused(b, () -> ct.free(b, 64));
                assertThat(Set.of(ct.allocate(64), ct.allocate(64))).containsExactlyInAnyOrder(a, b);
                ct.free(a, 64);
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBlockThatWasNeverAllocatedCannotBeFreed(FabricKind kind) throws Exception {
        for (boolean checkMemory : new boolean[] {false, true}) {
            kind.run(config(checkMemory), ct -> {
                long block = ct.allocate(128);
                refused(block, () -> ct.free(block + 8000, 64));
                refused(block, () -> ct.free(block + 32, 64));
                refused(block, () -> ct.schedReclaim(block + 8, 64));
                refused(block, () -> ct.free(block, 0));
                refused(block, () -> ct.free(block, -64));
                refused(block, () -> ct.free(block, 8000));
                ct.free(block, 128);
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void withCheckedMemoryAWrongSizeIsReportedAndTheRightOneStillAccepted(FabricKind kind) throws Exception {
        kind.run(config(true), ct -> {
            long block = ct.allocate(128);
            refused(block, () -> ct.free(block, 64));
            refused(block, () -> ct.schedReclaim(block, 64));
            refused(block, () -> ct.free(block + 64, 64));
            ct.free(block, 128);
            assertThat(ct.allocate(128)).isEqualTo(block);
            ct.schedReclaim(block, 100);
            assertThat(ct.reclaimDeferred()).isEqualTo(1);
        });
    }

    @ParameterizedTest
    @EnumSource
    void withCheckedMemoryASecondFreeIsReportedOnAnyNode(FabricKind kind) throws Exception {
        kind.run(config(true), ct -> {
            if (ct.id() == 0) {
                long block = ct.allocate(64);
                ct.root().set(new RdmaPtr<>(block));
                ct.free(block, 64);
            }
            ct.barrier();
            long block = ct.root().get().raw();
            if (ct.id() == 1) {
                refused(block, () -> ct.free(block, 64));
                refused(block, () -> ct.schedReclaim(block, 64));
            }
            ct.barrier();
            if (ct.id() == 0) {
                assertThat(ct.allocate(64)).isEqualTo(block);
            }
            ct.barrier();
            if (ct.id() == 1) {
                ct.free(block, 64); // any thread may free it, not only the one that allocated it
            }
            ct.barrier();
            if (ct.id() == 0) {
                refused(block, () -> ct.free(block, 64));
                assertThat(ct.allocate(64)).isNotEqualTo(block);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void withCheckedMemoryAThreadThatUsesABlockThatItHasFreedGetsAnException(FabricKind kind) throws Exception {
        kind.run(config(true), ct -> {
            long block = ct.allocate(128);
            LocalBuffer buffer = ct.allocateLocal(128);
            ct.free(block, 128);
            for (long word : new long[] {block, block + 120}) {
                usedAfterFree(() -> ct.read(word));
                usedAfterFree(() -> ct.write(word, 1));
                usedAfterFree(() -> ct.post(word, 1));
                usedAfterFree(() -> ct.compareAndSwap(word, 0, 1));
                usedAfterFree(() -> ct.fetchAndAdd(word, 1));
                usedAfterFree(() -> ct.postFetchAndAdd(word, 1));
                usedAfterFree(() -> ct.async().write(word, 1));
                usedAfterFree(() -> ct.sequence().write(word, buffer, 0, 8));
            }
            usedAfterFree(() -> ct.read(block, buffer));
            usedAfterFree(() -> ct.write(block, buffer, 0, 128));
            assertThat(ct.allocate(128)).isEqualTo(block);
            ct.write(block, 1);
            ct.schedReclaim(block, 128);
            assertThat(ct.read(block)).isEqualTo(1); // retired, so that threads may still read it
            ct.reclaimDeferred();
            usedAfterFree(() -> ct.read(block));
        });
    }

    @ParameterizedTest
    @EnumSource
    void withoutCheckedMemoryUseAfterAFreeIsNotFound(FabricKind kind) throws Exception {
        kind.run(config(false), ct -> {
            long block = ct.allocate(64);
            ct.free(block, 64);
            ct.write(block, ct.id());
            assertThat(ct.read(block)).isEqualTo(ct.id());
        });
    }

    private static void usedAfterFree(org.assertj.core.api.ThrowableAssert.ThrowingCallable access) {
        assertThatThrownBy(access)
                .isInstanceOf(dev.remus.memory.InvalidPointerException.class)
                .hasMessageContaining("is free: Compute Thread ");
    }

    private static void refused(long block, org.assertj.core.api.ThrowableAssert.ThrowingCallable free) {
        assertThatThrownBy(free)
                .as("block %s", RdmaPtr.toString(block))
                .isInstanceOfAny(InvalidFreeException.class, dev.remus.memory.InvalidPointerException.class);
    }

    @ParameterizedTest
    @EnumSource
    void aDeferredBlockIsNotUsedBeforeItIsReclaimed(FabricKind kind) throws Exception {
        for (boolean checkMemory : new boolean[] {false, true}) {
            kind.run(config(checkMemory), ct -> {
                Set<Long> deferred = new HashSet<>();
                for (int i = 0; i < 20; i++) {
                    deferred.add(ct.allocate(64));
                }
                deferred.forEach(block -> ct.schedReclaim(block, 64));
                for (int i = 0; i < 20; i++) {
                    assertThat(deferred).doesNotContain(ct.allocate(64));
                }
                assertThat(ct.reclaimDeferred()).isEqualTo(20);
                assertThat(ct.reclaimDeferred()).isZero();
                Set<Long> again = new HashSet<>();
                for (int i = 0; i < 20; i++) {
                    again.add(ct.allocate(64));
                }
                assertThat(again).isEqualTo(deferred);
            });
        }
    }
}
