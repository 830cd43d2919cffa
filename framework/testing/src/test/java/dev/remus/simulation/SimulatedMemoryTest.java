// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Simulated clusters take little memory, and leave little outside the heap, where the collector notices it late. */
@Tag("any-jdk")
@Timeout(180)
class SimulatedMemoryTest {
    private static final int SCHEDULES = 50;
    private static final int THREADS = 4;

    @Test
    void aScheduleTakesOnlyKilobytesOutsideTheHeap() throws Exception {
        BufferPoolMXBean direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .findFirst()
                .orElseThrow();
        long before = direct.getMemoryUsed();
        for (int seed = 1; seed <= SCHEDULES; seed++) {
            new SimulatedCluster(THREADS, Schedule.random(seed)).run(ct -> {
                long block = ct.allocate(64);
                ByteBuffer bytes = ByteBuffer.allocate(64);
                ct.write(block, bytes.duplicate());
                ct.read(block, bytes);
                for (int i = 0; i < 10; i++) {
                    ct.allocateLocal(24);
                }
                ct.root().set(new RdmaPtr<>(block));
                ct.barrier();
            });
        }
        assertThat((direct.getMemoryUsed() - before) / SCHEDULES)
                .as("bytes for each schedule of %d threads", THREADS)
                .isLessThan(128 << 10);
    }

    /** So 1,000 threads would take less than 100 MB, and 10,000 less than 1 GB. */
    @ParameterizedTest
    @ValueSource(ints = {250, 500})
    void aSimulatedThreadTakesAtMost100KilobytesHoweverManyThereAre(int threads) throws Exception {
        memoryOf(4); // loads classes
        assertThat(memoryOf(threads) / threads).isLessThan(100_000);
    }

    private static long memoryOf(int threads) throws Exception {
        ClusterConfig config = ClusterConfig.builder()
                .cluster("many")
                .memoryNodes(0, 1)
                .computeNodes(2, 3)
                .threadsPerNode(threads / 2)
                .lanes(8)
                .build();
        long before = usedMemory();
        AtomicLong during = new AtomicLong();
        SimulatedCluster cluster = new SimulatedCluster(config, Schedule.random(1));
        cluster.simulator().maxSteps(Long.MAX_VALUE);
        cluster.prepared(ct -> ct.write(ct.allocate(64), ct.id())).run(ct -> {
            if (ct.id() == threads / 2) {
                during.set(usedMemory()); // all threads are open
            }
        });
        return during.get() - before;
    }

    /** The Java heap after a collection, and direct buffers. */
    private static long usedMemory() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
                + ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                        .mapToLong(BufferPoolMXBean::getMemoryUsed)
                        .sum();
    }
}
