package dev.remus.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.memory.RdmaPtr;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Simulated clusters leave little memory outside the heap, which the garbage collector notices only late. */
@Timeout(60)
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
}
