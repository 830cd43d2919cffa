// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static dev.remus.structures.BufferedQueueTest.bytes;
import static dev.remus.structures.BufferedQueueTest.range;
import static dev.remus.structures.BufferedQueueTest.withThread;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.remus.config.OnNodeLoss;
import dev.remus.node.ComputeThread;
import dev.remus.node.FabricKind;
import dev.remus.node.TestCluster;
import dev.remus.record.Codec;
import dev.remus.record.Codecs;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What the operations of a buffered queue cost who uses it alone: round trips, atomics and local memory. */
@Tag("any-jdk")
@Timeout(120)
class BufferedQueueCostTest {
    private static long roundTrips(ComputeThread ct, Runnable operation) {
        long before = ct.metrics().roundTrips();
        operation.run();
        return ct.metrics().roundTrips() - before;
    }

    @ParameterizedTest
    @EnumSource
    void itCostsTheRoundTripsOfTheClassComment(Variant variant) throws Exception {
        withThread(ct -> {
            RingQueue<byte[]> queue = variant.make(8, bytes(256), ct);
            byte[] item = new byte[256];
            queue.enqueue(item, ct);
            queue.dequeue(ct);
            for (int i = 0; i < 7; i++) {
                assertThat(roundTrips(ct, () -> queue.enqueue(item, ct))).isEqualTo(2);
            }
            assertThat(roundTrips(ct, () -> queue.enqueue(item, ct)))
                    .as("a look")
                    .isEqualTo(3);
            for (int i = 0; i < 8; i++) {
                assertThat(roundTrips(ct, () -> queue.dequeue(ct))).isEqualTo(1);
            }
            assertThat(roundTrips(ct, () -> queue.tryDequeue(ct))).isEqualTo(2);
            assertThat(roundTrips(ct, () -> queue.tryEnqueue(item, ct))).isEqualTo(3);
            assertThat(roundTrips(ct, () -> queue.tryEnqueue(item, ct))).isEqualTo(2);
            assertThat(roundTrips(ct, () -> queue.tryDequeue(ct))).isEqualTo(1);
        });
    }

    @ParameterizedTest
    @CsvSource({"BUFFERED, 0", "RELAXED, 1"})
    void underContinueAnEnqueueTakesNoMoreRoundTripsOrThoseOfTheClassComment(Variant variant, int more)
            throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1)
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .build())
                .run(ct -> {
                    RingQueue<byte[]> queue = variant.make(8, bytes(256), ct);
                    byte[] item = new byte[256];
                    queue.enqueue(item, ct);
                    queue.dequeue(ct);
                    for (int i = 0; i < 7; i++) {
                        assertThat(roundTrips(ct, () -> queue.enqueue(item, ct)))
                                .isEqualTo(2 + more);
                    }
                    assertThat(roundTrips(ct, () -> queue.enqueue(item, ct)))
                            .as("a look")
                            .isEqualTo(3 + more);
                    for (int i = 0; i < 8; i++) {
                        assertThat(roundTrips(ct, () -> queue.dequeue(ct))).isEqualTo(1);
                    }
                    assertThat(roundTrips(ct, () -> queue.tryDequeue(ct))).isEqualTo(2);
                    assertThat(roundTrips(ct, () -> queue.tryEnqueue(item, ct))).isEqualTo(3 + more);
                    assertThat(roundTrips(ct, () -> queue.tryEnqueue(item, ct))).isEqualTo(2 + more);
                    assertThat(roundTrips(ct, () -> queue.tryDequeue(ct))).isEqualTo(1);
                });
    }

    @Test
    void underContinueABatchOfTheBufferedQueueTakesNoMoreRoundTrips() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1)
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .build())
                .run(ct -> {
                    RingQueue<Long> queue = Variant.BUFFERED.make(64, Codecs.LONG, ct);
                    assertThat(roundTrips(ct, () -> queue.enqueueAll(range(0, 16), ct)))
                            .isEqualTo(2);
                });
    }

    @ParameterizedTest
    @EnumSource
    void aDequeueFetchesTheSmallItemsBehindItToo(Variant variant) throws Exception {
        withThread(ct -> {
            RingQueue<Long> queue = variant.make(64, Codecs.LONG, ct);
            queue.enqueueAll(range(0, 32), ct);
            assertThat(roundTrips(ct, () -> {
                        for (long item = 0; item < 32; item++) {
                            assertThat(queue.dequeue(ct)).isEqualTo(item);
                        }
                    }))
                    .isEqualTo(3); // two of them to become the consumer
        });
    }

    @ParameterizedTest
    @EnumSource
    void inBatchesOfSixteenAnItemCostsAtMostAQuarterOfARoundTrip(Variant variant) throws Exception {
        withThread(ct -> {
            RingQueue<Long> queue = variant.make(64, Codecs.LONG, ct);
            List<Long> batch = range(0, 16);
            int batches = 400;
            long enqueueing = 0;
            long dequeueing = 0;
            for (int i = 0; i < batches; i++) {
                enqueueing += roundTrips(ct, () -> queue.enqueueAll(batch, ct));
                dequeueing += roundTrips(ct, () -> queue.dequeueAll(16, item -> {}, ct));
            }
            assertThat(enqueueing / (16.0 * batches)).isLessThanOrEqualTo(0.25);
            assertThat(dequeueing / (16.0 * batches)).isLessThanOrEqualTo(0.25);
        });
    }

    @ParameterizedTest
    @EnumSource
    void theStateIsNeverPolledByCompareAndSwap(Variant variant) throws Exception {
        withThread(ct -> {
            RingQueue<Long> queue = variant.make(4, Codecs.LONG, ct);
            queue.enqueue(1L, ct);
            queue.dequeue(ct);
            long swaps = ct.metrics().compareAndSwaps();
            for (int i = 0; i < 10; i++) {
                queue.tryDequeue(ct);
            }
            assertThat(ct.metrics().compareAndSwaps()).isEqualTo(swaps);
        });
    }

    /** One that decodes into the same array every time. */
    private static Codec<long[]> reusing() {
        long[] decoded = new long[1];
        return Codecs.of(8, (array, buffer) -> buffer.putLong(array[0]), buffer -> {
            decoded[0] = buffer.getLong();
            return decoded;
        });
    }

    @ParameterizedTest
    @CsvSource({"BUFFERED, DIRECT", "BUFFERED, LANES", "RELAXED, DIRECT", "RELAXED, LANES"})
    void withACodecThatReusesItsObjectNothingIsAllocated(Variant variant, FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            RingQueue<long[]> queue = variant.make(64, reusing(), ct);
            List<long[]> batch = List.of(new long[1], new long[1], new long[1]);
            long[] sum = new long[1];
            Consumer<long[]> taker = item -> sum[0] += item[0];
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            int times = 20_000;
            long before = 0;
            for (int i = 0; i < 2 * times; i++) {
                if (i == times) {
                    before = threads.getThreadAllocatedBytes(
                            Thread.currentThread().getId());
                }
                queue.enqueue(batch.get(0), ct);
                queue.tryEnqueue(batch.get(0), ct);
                queue.enqueueAll(batch, ct);
                sum[0] += queue.dequeue(ct)[0];
                for (int left = 4; left > 0; ) {
                    left -= queue.dequeueAll(left, taker, ct);
                }
            }
            long allocated =
                    threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
            assertThat(allocated).isLessThan(times);
        });
    }
}
