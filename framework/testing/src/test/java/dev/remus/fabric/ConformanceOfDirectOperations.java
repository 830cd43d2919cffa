// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.remus.await.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The guarantees of posted operations, for {@link ComputeEndpoint#directOperations} if the fabric has them. */
interface ConformanceOfDirectOperations extends FabricUnderTest {
    @Test
    default void directOperationsHaveTheEffectsAndResultsOfPostedOnes() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        BlockingOperations direct = direct(client);
        long word = pointer(0, 1, 64);
        direct.write(word, 5);
        assertThat(direct.read(word)).isEqualTo(5);
        assertThat(memory.get(1, 64)).isEqualTo(5);
        long counter = pointer(0, 0, 128);
        assertThat(direct.compareAndSwap(counter, 0, -7)).isZero();
        assertThat(direct.compareAndSwap(counter, 0, 9)).isEqualTo(-7);
        assertThat(direct.fetchAndAdd(counter, Long.MIN_VALUE)).isEqualTo(-7);
        assertThat(direct.fetchAndAdd(counter, 1)).isEqualTo(Long.MAX_VALUE - 6);
        assertThat(client.caller(0).read(0, 128)).isEqualTo(Long.MAX_VALUE - 5);
        assertThat(direct.read(counter - 8)).isZero();
        assertThat(direct.read(counter + 8)).isZero();
    }

    @Test
    default void directOperationsReachTheEndsOfEverySegmentOfEveryMemoryNode() {
        List<MemoryEndpoint> memories = List.of(cluster().memory(0), cluster().memory(1));
        ComputeEndpoint compute = cluster().openCompute(1);
        List<Link> links = new ArrayList<>();
        for (MemoryEndpoint memory : memories) {
            links.add(compute.connect(memory.node(), 1, TestEndpoints.PATIENCE));
        }
        BlockingOperations direct = offered(compute.directOperations(links));
        long last = TestEndpoints.SEGMENT_BYTES - 8;
        for (int node = 0; node < 2; node++) {
            for (int segment = 0; segment < 2; segment++) {
                direct.write(pointer(node, segment, 0), 10 * node + segment);
                direct.fetchAndAdd(pointer(node, segment, last), -10 * node - segment);
            }
        }
        for (int node = 0; node < 2; node++) {
            for (int segment = 0; segment < 2; segment++) {
                assertThat(memories.get(node).get(segment, 0)).isEqualTo(10 * node + segment);
                assertThat(memories.get(node).get(segment, last)).isEqualTo(-10 * node - segment);
            }
        }
    }

    @Test
    default void aDirectWriteIsPlacedWhenItReturns() {
        MemoryEndpoint memory = cluster().memory();
        BlockingOperations direct = direct(cluster().client(1));
        Caller other = cluster().caller(2);
        for (long i = 1; i <= 500; i++) {
            direct.write(pointer(0, 0, 64), i);
            assertThat(other.read(0, 64)).isEqualTo(i);
            assertThat(memory.get(0, 64)).isEqualTo(i);
        }
    }

    @Test
    default void aDirectlyPostedWriteIsPlacedOnceItsThreadHasPlacedItsWrites() {
        cluster().memory();
        BlockingOperations direct = direct(cluster().client(1));
        Caller other = cluster().caller(2);
        for (long i = 1; i <= 500; i++) {
            direct.post(pointer(0, 0, 64), i);
            direct.post(pointer(0, 1, 64), -i);
            direct.place();
            assertThat(direct.unplacedLanes()).isZero();
            assertThat(other.read(0, 64)).isEqualTo(i);
            assertThat(other.read(1, 64)).isEqualTo(-i);
        }
    }

    @Test
    default void aThreadReadsItsOwnPostedWrites() {
        cluster().memory();
        BlockingOperations direct = direct(cluster().client(1));
        for (long i = 1; i <= 500; i++) {
            direct.post(pointer(0, 0, 64), i);
            assertThat(direct.read(pointer(0, 0, 64))).isEqualTo(i);
        }
        direct.place();
    }

    @Test
    default void directTransfersOfAllSizesLeaveTheirNeighboursUntouched() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        BlockingOperations direct = direct(client);
        LocalBuffer from = client.endpoint().allocateLocal(8192);
        LocalBuffer to = client.endpoint().allocateLocal(8192);
        long remote = 8;
        for (int bytes : new int[] {8, 16, 120, 128, 136, 4096}) {
            for (long i = 0; i < 8192; i += 8) {
                from.putLong(i, i + bytes);
                to.putLong(i, -1);
            }
            direct.write(pointer(0, 0, remote), from, 8, bytes);
            direct.read(pointer(0, 0, remote), to, 16, bytes);
            assertThat(to.view(16, bytes)).isEqualTo(from.view(8, bytes));
            assertThat(to.getLong(8)).isEqualTo(-1);
            assertThat(to.getLong(16L + bytes)).isEqualTo(-1);
            assertThat(memory.get(0, remote - 8)).isZero();
            assertThat(memory.get(0, remote + bytes)).isZero();
            remote += bytes + 8;
        }
    }

    @Test
    default void aReaderOfALaterWriteOfADirectSequenceReadsTheEarlierOnes() {
        cluster().memory();
        TestClient one = cluster().client(1);
        TestClient two = cluster().client(2);
        BlockingOperations writer = direct(one);
        BlockingOperations reader = direct(two);
        int words = 40; // so that some transfers are longer than others
        long last = 20_000;
        runThreads(2, thread -> {
            LocalBuffer local = (thread == 0 ? one : two).endpoint().allocateLocal((words + 1L) * Long.BYTES);
            RemoteSequence sequence = (thread == 0 ? writer : reader).newSequence();
            for (long i = 1, state = 0; thread == 0 ? i <= last : state < last; i++) {
                int bytes = (int) (1 + i % words) * Long.BYTES;
                if (thread == 0) {
                    for (int word = 0; word <= words; word++) {
                        local.putLong((long) word * Long.BYTES, i);
                    }
                    sequence.write(pointer(0, 0, 128), local, 8, words * Long.BYTES);
                    sequence.write(pointer(0, 0, 64), local, 0, Long.BYTES);
                    sequence.execute();
                } else {
                    sequence.read(pointer(0, 0, 64), local, 0, Long.BYTES);
                    sequence.read(pointer(0, 0, 128), local, 8, bytes);
                    sequence.execute();
                    state = local.getLong(0);
                    for (int word = 1; word <= bytes / Long.BYTES; word++) {
                        assertThat(local.getLong((long) word * Long.BYTES)).isGreaterThanOrEqualTo(state);
                    }
                }
            }
        });
    }

    @Test
    default void directSequencesHaveTheEffectsAndResultsOfSingleOperations() {
        cluster().memory();
        TestClient client = cluster().client(1);
        BlockingOperations direct = direct(client);
        LocalBuffer local = client.endpoint().allocateLocal(64);
        RemoteSequence sequence = direct.newSequence();
        local.putLong(0, 7);
        sequence.write(pointer(0, 0, 64), local, 0, 8);
        sequence.read(pointer(0, 0, 64), local, 8, 8);
        sequence.compareAndSwap(pointer(0, 0, 128), 0, 5, local, 16);
        sequence.compareAndSwap(pointer(0, 0, 128), 0, 6, local, 24);
        sequence.fetchAndAdd(pointer(0, 0, 128), -2, local, 32);
        sequence.execute();
        assertThat(local.getLong(8)).isEqualTo(7);
        assertThat(local.getLong(16)).isZero();
        assertThat(local.getLong(24)).isEqualTo(5);
        assertThat(local.getLong(32)).isEqualTo(5);
        direct.postFetchAndAdd(pointer(0, 0, 128), 4);
        direct.place();
        assertThat(direct.read(pointer(0, 0, 128))).isEqualTo(7);
        direct.postRelease(pointer(0, 0, 128), 6);
        direct.place();
        assertThat(direct.read(pointer(0, 0, 128))).as("another holder's").isEqualTo(7);
        direct.postRelease(pointer(0, 0, 128), 7);
        direct.place();
        assertThat(direct.read(pointer(0, 0, 128))).isZero();
    }

    @Test
    default void directAtomicsAndPostedAtomicsCountExactlyTogether() {
        MemoryEndpoint memory = cluster().memory();
        TestClient one = cluster().client(1);
        TestClient two = cluster().client(2);
        direct(one);
        int times = 2_000;
        runThreads(4, thread -> {
            if (thread < 2) {
                BlockingOperations direct = direct(thread == 0 ? one : two);
                for (int i = 0; i < times; i++) {
                    direct.fetchAndAdd(pointer(0, 0, 64), 1);
                    increment(direct, pointer(0, 0, 128));
                }
            } else {
                Caller caller = (thread == 2 ? one : two).caller(thread);
                for (int i = 0; i < times; i++) {
                    caller.fetchAndAdd(0, 64, 1);
                    caller.fetchAndAdd(0, 128, 1);
                }
            }
        });
        assertThat(memory.get(0, 64)).isEqualTo(4L * times);
        assertThat(memory.get(0, 128)).isEqualTo(4L * times);
    }

    @Test
    default void oneOfManyDirectCompareAndSwapsWins() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        direct(client);
        int times = 5_000;
        runThreads(4, thread -> {
            BlockingOperations direct = direct(client);
            for (int i = 0; i < times; i++) {
                increment(direct, pointer(0, 0, 64));
            }
        });
        assertThat(memory.get(0, 64)).isEqualTo(4L * times);
    }

    @Test
    default void aDirectLockProtectsPlainWords() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        direct(client);
        int times = 2_000;
        runThreads(4, thread -> {
            BlockingOperations direct = direct(client);
            for (int i = 0; i < times; i++) {
                Await.until("the lock", () -> direct.compareAndSwap(pointer(0, 0, 0), 0, 1) == 0);
                long value = direct.read(pointer(0, 0, 64));
                direct.post(pointer(0, 0, 64), value + 1);
                direct.post(pointer(0, 1, 64), value + 1);
                direct.place();
                direct.fetchAndAdd(pointer(0, 0, 0), -1);
            }
        });
        assertThat(memory.get(0, 64)).isEqualTo(memory.get(1, 64)).isEqualTo(4L * times);
    }

    private static void increment(BlockingOperations direct, long pointer) {
        long seen = direct.read(pointer);
        long old;
        while ((old = direct.compareAndSwap(pointer, seen, seen + 1)) != seen) {
            seen = old;
        }
    }

    private static BlockingOperations direct(TestClient client) {
        return offered(client.endpoint().directOperations(List.of(client.link())));
    }

    /** Skips the test on a fabric that offers none. */
    private static BlockingOperations offered(Optional<BlockingOperations> direct) {
        assumeTrue(direct.isPresent(), "this fabric has no direct memory");
        return direct.orElseThrow();
    }

    private static long pointer(int node, int segment, long offset) {
        return (long) node << 54 | (long) segment << 48 | offset;
    }
}
