// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.remus.config.ClusterConfig;
import dev.remus.fabric.LocalBuffer;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Asynchronous operations allocate nothing on the Java heap. The weak lanes of the tests do. */
@Timeout(120)
class AsyncAllocationTest {
    private static final int ROUNDS = 20_000;
    private static final int FILLS = 100;

    @ParameterizedTest
    @EnumSource(names = {"DIRECT", "LANES"})
    void anAsynchronousOperationAllocatesNothing(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).lanes(2).build(), ct -> {
            long block = ct.allocate(64);
            LocalBuffer local = ct.allocateLocal(64);
            work(ct, block, local, ROUNDS);
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long self = Thread.currentThread().getId();
            long before = threads.getThreadAllocatedBytes(self);
            work(ct, block, local, ROUNDS);
            long bytes = threads.getThreadAllocatedBytes(self) - before;
            assertThat((double) bytes / ROUNDS)
                    .as("bytes in each round of nine operations")
                    .isLessThan(1);
        });
    }

    /** Posts more than a lane has room for, so that the thread waits for room many times. */
    @Test
    void waitingForRoomOnAFullLaneAllocatesNothing() throws Exception {
        int operations = 1000;
        ClusterConfig config =
                TestCluster.config(1, 1, 1).lanes(1).opsPerThread(operations).build();
        FabricKind.LANES.run(config, ct -> {
            long block = ct.allocate(64);
            fillAgainAndAgain(ct, block, operations);
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long self = Thread.currentThread().getId();
            long before = threads.getThreadAllocatedBytes(self);
            fillAgainAndAgain(ct, block, operations);
            long bytes = threads.getThreadAllocatedBytes(self) - before;
            assertThat((double) bytes / (FILLS * operations))
                    .as("bytes for each operation")
                    .isLessThan(1);
        });
    }

    private static void fillAgainAndAgain(ComputeThread ct, long block, int operations) {
        for (int i = 0; i < FILLS; i++) {
            for (int j = 0; j < operations; j++) {
                ct.async().read(block).detach();
            }
            ct.async().awaitAll();
        }
    }

    private static void work(ComputeThread ct, long block, LocalBuffer local, int rounds) {
        CompletionBarrier barrier = ct.async().barrier(0);
        for (int i = 0; i < rounds; i++) {
            RemoteFuture write = ct.async().write(block, i);
            RemoteFuture read = ct.async().read(block + 8);
            RemoteFuture add = ct.async().fetchAndAdd(block + 16, 1);
            RemoteFuture swap = ct.async().compareAndSwap(block + 24, i, i + 1L);
            RemoteFuture sequence = ct.sequence()
                    .write(block + 32, local, 0, 16)
                    .read(block + 32, local, 16, 16)
                    .executeAsync();
            long last = ct.async().read(block, local, 32, 16).detach();
            ct.async().write(block + 48, i).detach();
            ct.async().awaitAny();
            if (barrier.poll(last, CompletionGrade.REMOTE) < last) {
                ct.async().tryAwaitArmed(100);
            }
            barrier.tryAwait(last, CompletionGrade.REMOTE, 100);
            write.tryAwait(100);
            ct.async().tryAwaitAll(100);
            add.await();
            write.await();
            read.await();
            swap.await();
            sequence.await();
            if (barrier.poll(last, CompletionGrade.REMOTE) < last) {
                barrier.await(last, CompletionGrade.REMOTE);
            }
            ct.async().awaitAll();
        }
    }
}
