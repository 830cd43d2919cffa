// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.await.Await;
import org.junit.jupiter.api.Test;

/** The four operations, their results, and where their effects are visible. */
interface ConformanceOfOperations extends FabricUnderTest {
    @Test
    default void segmentsHaveTheConfiguredNumberAndSizeOnBothSides() {
        MemoryEndpoint memory = cluster().memory();
        Link link = cluster().client(1).link();
        assertThat(memory.node()).isEqualTo(link.memoryNode()).isZero();
        assertThat(memory.segments()).isEqualTo(link.segments()).isEqualTo(2);
        assertThat(memory.segmentBytes()).isEqualTo(TestEndpoints.SEGMENT_BYTES);
        for (int i = 0; i < 2; i++) {
            assertThat(link.segment(i).memoryNode()).isZero();
            assertThat(link.segment(i).index()).isEqualTo(i);
            assertThat(link.segment(i).bytes()).isEqualTo(TestEndpoints.SEGMENT_BYTES);
        }
        assertThat(link.lanes()).isEqualTo(TestEndpoints.LANES);
        assertThat(link.lane(0).depth()).isPositive();
    }

    @Test
    default void everyWordOfEverySegmentIsZeroAtStart() {
        MemoryEndpoint memory = cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(TestEndpoints.SEGMENT_BYTES);
        for (int segment = 0; segment < memory.segments(); segment++) {
            for (long i = 0; i < local.bytes(); i += Long.BYTES) {
                local.putLong(i, -1);
            }
            Chain chain = new Chain(1).read(client.segment(segment), 0, local, 0, TestEndpoints.SEGMENT_BYTES);
            client.caller(0).execute(chain);
            for (long i = 0; i < local.bytes(); i += Long.BYTES) {
                assertThat(local.getLong(i)).isZero();
                assertThat(memory.get(segment, i)).isZero();
            }
        }
    }

    @Test
    default void aReadReturnsTheWrittenValue() {
        cluster().memory();
        Caller caller = cluster().caller(1);
        caller.write(0, 128, 0x0123_4567_89AB_CDEFL);
        caller.write(0, 136, Long.MIN_VALUE);
        assertThat(caller.read(0, 128)).isEqualTo(0x0123_4567_89AB_CDEFL);
        assertThat(caller.read(0, 136)).isEqualTo(Long.MIN_VALUE);
        assertThat(caller.read(0, 120)).isZero();
        assertThat(caller.read(0, 144)).isZero();
    }

    @Test
    default void theFirstAndTheLastWordOfASegmentCanBeUsed() {
        MemoryEndpoint memory = cluster().memory();
        Caller caller = cluster().caller(1);
        long last = TestEndpoints.SEGMENT_BYTES - Long.BYTES;
        caller.write(1, 0, 1);
        caller.write(1, last, 2);
        assertThat(caller.fetchAndAdd(1, 0, 10)).isEqualTo(1);
        assertThat(caller.fetchAndAdd(1, last, 10)).isEqualTo(2);
        assertThat(memory.get(1, 0)).isEqualTo(11);
        assertThat(memory.get(1, last)).isEqualTo(12);
    }

    @Test
    default void compareAndSwapReplacesTheExpectedValueAndReturnsIt() {
        cluster().memory();
        Caller caller = cluster().caller(1);
        assertThat(caller.compareAndSwap(0, 64, 0, -7)).isZero();
        assertThat(caller.compareAndSwap(0, 64, -7, Long.MAX_VALUE)).isEqualTo(-7);
        assertThat(caller.read(0, 64)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    default void compareAndSwapLeavesAnotherValueAndReturnsIt() {
        cluster().memory();
        Caller caller = cluster().caller(1);
        caller.compareAndSwap(0, 64, 0, 5);
        assertThat(caller.compareAndSwap(0, 64, 4, 6)).isEqualTo(5);
        assertThat(caller.compareAndSwap(0, 64, 5L + (1L << 32), 6)).isEqualTo(5);
        assertThat(caller.read(0, 64)).isEqualTo(5);
    }

    @Test
    default void fetchAndAddReturnsTheOldValueAndAddsNegativeOnesToo() {
        cluster().memory();
        Caller caller = cluster().caller(1);
        assertThat(caller.fetchAndAdd(0, 64, 40)).isZero();
        assertThat(caller.fetchAndAdd(0, 64, -50)).isEqualTo(40);
        assertThat(caller.fetchAndAdd(0, 64, 0)).isEqualTo(-10);
        assertThat(caller.read(0, 64)).isEqualTo(-10);
    }

    @Test
    default void fetchAndAddWrapsAround() {
        cluster().memory();
        Caller caller = cluster().caller(1);
        caller.fetchAndAdd(0, 64, Long.MAX_VALUE);
        assertThat(caller.fetchAndAdd(0, 64, 3)).isEqualTo(Long.MAX_VALUE);
        assertThat(caller.read(0, 64)).isEqualTo(Long.MIN_VALUE + 2);
    }

    @Test
    default void anAtomicChangesNoWordBesideItsOwn() {
        cluster().memory();
        Caller caller = cluster().caller(1);
        caller.fetchAndAdd(0, 72, -1);
        caller.compareAndSwap(0, 80, 0, -1);
        caller.fetchAndAdd(0, 80, 1);
        assertThat(caller.read(0, 64)).isZero();
        assertThat(caller.read(0, 72)).isEqualTo(-1);
        assertThat(caller.read(0, 80)).isZero();
        assertThat(caller.read(0, 88)).isZero();
    }

    @Test
    default void segmentsAreSeparate() {
        MemoryEndpoint memory = cluster().memory();
        Caller caller = cluster().caller(1);
        caller.write(0, 256, 1);
        caller.write(1, 256, 2);
        assertThat(caller.read(0, 256)).isEqualTo(memory.get(0, 256)).isEqualTo(1);
        assertThat(caller.read(1, 256)).isEqualTo(memory.get(1, 256)).isEqualTo(2);
    }

    @Test
    default void memoryNodesAreSeparate() {
        MemoryEndpoint first = cluster().memory(0);
        MemoryEndpoint second = cluster().memory(1);
        ComputeEndpoint compute = cluster().openCompute(1);
        new TestClient(compute, compute.connect(0, 1, TestEndpoints.PATIENCE))
                .caller(0)
                .write(0, 64, 10);
        new TestClient(compute, compute.connect(1, 1, TestEndpoints.PATIENCE))
                .caller(0)
                .write(0, 64, 11);
        assertThat(first.get(0, 64)).isEqualTo(10);
        assertThat(second.get(0, 64)).isEqualTo(11);
    }

    @Test
    default void aWordThatTheMemoryNodeSetsBeforePublishIsVisibleRemotely() {
        MemoryEndpoint memory = cluster().openMemory(0);
        memory.set(0, 0, 42);
        memory.set(1, TestEndpoints.SEGMENT_BYTES - 8, -42);
        memory.publish();
        Caller caller = cluster().caller(1);
        assertThat(caller.read(0, 0)).isEqualTo(42);
        assertThat(caller.read(1, TestEndpoints.SEGMENT_BYTES - 8)).isEqualTo(-42);
    }

    @Test
    default void aWordThatOnlyTheMemoryNodeWritesIsVisibleRemotelyWhileItChanges() {
        MemoryEndpoint memory = cluster().memory();
        Caller caller = cluster().caller(1);
        for (long i = 1; i <= 100; i++) {
            long expected = i;
            memory.set(0, 512, i);
            Await.until("the Memory Node's word is " + i, () -> caller.read(0, 512) == expected);
        }
    }

    @Test
    default void aPlacedWriteIsVisibleOnOtherLanesToOtherComputeNodesAndToTheMemoryNode() {
        MemoryEndpoint memory = cluster().memory();
        TestClient writing = cluster().client(1);
        Caller writer = writing.caller(0);
        Caller otherLane = writing.caller(1);
        Caller otherNode = cluster().caller(2);
        for (long i = 1; i <= 500; i++) {
            writer.write(0, 64, i);
            assertThat(otherLane.read(0, 64)).isEqualTo(i);
            assertThat(otherNode.read(0, 64)).isEqualTo(i);
            assertThat(memory.get(0, 64)).isEqualTo(i);
        }
    }

    @Test
    default void anAtomicIsVisibleOnOtherLanesToOtherComputeNodesAndToTheMemoryNode() {
        MemoryEndpoint memory = cluster().memory();
        TestClient adding = cluster().client(1);
        Caller adder = adding.caller(0);
        Caller otherLane = adding.caller(1);
        Caller otherNode = cluster().caller(2);
        for (long i = 1; i <= 500; i++) {
            adder.fetchAndAdd(0, 64, 1);
            assertThat(otherLane.read(0, 64)).isEqualTo(i);
            assertThat(otherNode.compareAndSwap(0, 64, i, i)).isEqualTo(i);
            assertThat(memory.get(0, 64)).isEqualTo(i);
        }
    }

    @Test
    default void aWriteThatNoOperationPlacesIsVisibleAfterFiniteTime() {
        cluster().memory();
        TestClient client = cluster().client(1);
        LocalBuffer local = client.endpoint().allocateLocal(8);
        local.putLong(0, 77);
        client.lane(0).post(new Chain(1).write(client.segment(0), 64, local, 0, 8));
        Caller other = cluster().caller(2);
        Await.until("the unplaced WRITE is seen", () -> other.read(0, 64) == 77);
    }

    @Test
    default void theMemoryNodeRefusesWordsOutsideItsSegments() {
        MemoryEndpoint memory = cluster().openMemory(0);
        long size = TestEndpoints.SEGMENT_BYTES;
        for (long offset : new long[] {-8, size, size - 4, 4, Long.MAX_VALUE - 7, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> memory.get(0, offset)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> memory.set(0, offset, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        }
        for (int segment : new int[] {-1, 2}) {
            assertThatThrownBy(() -> memory.get(segment, 0)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }
}
