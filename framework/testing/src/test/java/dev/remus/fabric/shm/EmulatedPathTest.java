// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CostModel;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.LocalCost;
import dev.remus.fabric.RemoteSegment;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** When the requests of a path complete. */
class EmulatedPathTest {
    private static final CostModel MODEL = new CostModel("test", 1000, 2000, 4000, 10, 20, 446, 1_000_000_000);
    private static final RemoteSegment SEGMENT = new RemoteSegment(0, 0, 1 << 20, 0, 0);
    private static final LocalBuffer LOCAL = LocalBuffer.unregistered(1 << 16);

    private final long now = System.nanoTime() + 1_000_000_000; // the cards are free

    private static EmulatedPath path(CostModel model, boolean isLocal) {
        return new EmulatedPath(model, new AtomicLong(System.nanoTime()), isLocal);
    }

    /** When the last of 100 atomics completes that are posted at once to so many words. */
    static long completionOfMany(int words) {
        EmulatedPath path = path(MODEL, false);
        long now = System.nanoTime() + 1_000_000_000;
        long last = 0;
        for (int i = 0; i < 100; i++) {
            Chain chain = new Chain(1).fetchAndAdd(SEGMENT, 64 + 8L * (i % words), 1, LOCAL, 0);
            last = Math.max(last, path.completes(chain, 0, now) - now);
        }
        return last;
    }

    private long read(EmulatedPath path, int bytes) {
        return path.completes(new Chain(1).read(SEGMENT, 64, LOCAL, 0, bytes), 0, now) - now;
    }

    @Test
    void aRequestThatIsAloneTakesItsLatency() {
        assertThat(read(path(MODEL, false), 8)).isEqualTo(1000);
        Chain write = new Chain(1).write(SEGMENT, 64, LOCAL, 0, 8);
        assertThat(path(MODEL, false).completes(write, 0, now) - now).isEqualTo(2000);
        Chain swap = new Chain(1).compareAndSwap(SEGMENT, 64, 0, 1, LOCAL, 0);
        assertThat(path(MODEL, false).completes(swap, 0, now) - now).isEqualTo(4000);
    }

    @Test
    void requestsFollowEachOtherAfterAGapOrATransfer() {
        EmulatedPath path = path(MODEL, false);
        assertThat(read(path, 8)).isEqualTo(1000);
        assertThat(read(path, 8)).isEqualTo(1010);
        assertThat(read(path, 50_000)).isEqualTo(1020);
        assertThat(read(path, 8)).isEqualTo(51_020);
    }

    @Test
    void withALatencyOnlyNothingIsEverBusy() {
        EmulatedPath path = path(CostModel.ofLatency("mine", 300), false);
        for (int i = 0; i < 10; i++) {
            assertThat(read(path, 50_000)).isEqualTo(300);
        }
    }

    @Test
    void theOwnMemoryTakesItsLocalLatencyIfTheHardwareHasOne() {
        assertThat(read(path(MODEL.withLocal(new LocalCost(30, 40, 70, 20)), true), 8))
                .isEqualTo(30);
        assertThat(read(path(MODEL.withLocal(new LocalCost(30, 40, 70, 20)), false), 8))
                .isEqualTo(1000);
        assertThat(read(path(MODEL, true), 8)).isEqualTo(1000);
    }
}
