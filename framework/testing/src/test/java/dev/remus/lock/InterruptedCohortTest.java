// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import dev.remus.fabric.FabricException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread is interrupted while it waits for a {@link RemoteCohortLock} that another one of its node holds. */
@Timeout(120)
class InterruptedCohortTest {
    private static final int ROUNDS = 300;
    private static final int HOLDER = 0;
    private static final int WAITER = 1;
    private static final int OTHER_NODE = 2;

    private final AtomicReference<Thread> waiter = new AtomicReference<>();

    /** Whether the waiter waits for nothing but the lock. */
    private volatile boolean isTrying;

    @Test
    void theOtherNodesGetTheLockAlthoughAThreadIsInterruptedAsItsTurnComes() throws Exception {
        TestCluster.of(TestCluster.config(1, 2, 2).build()).run(ct -> {
            if (ct.id() == HOLDER) {
                RemoteCohortLock made = new RemoteCohortLock(ct.threads());
                made.allocate(ct);
                made.init(ct);
                ct.root().set(new RdmaPtr<>(made.pointer()));
            } else if (ct.id() == WAITER) {
                waiter.set(Thread.currentThread());
            }
            ct.barrier();
            RemoteCohortLock lock = new RemoteCohortLock(ct.threads());
            lock.at(ct.root().get());
            for (int round = 0; round < ROUNDS; round++) {
                play(lock, ct);
            }
        });
    }

    private void play(RemoteCohortLock lock, ComputeThread ct) {
        if (ct.id() == HOLDER) {
            lock.acquire(ct);
        }
        ct.barrier();
        if (ct.id() == HOLDER) {
            while (!isTrying || waiter.get().getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            waiter.get().interrupt();
            lock.release(ct);
        } else if (ct.id() == WAITER) {
            tryToUse(lock, ct);
        } else if (ct.id() == OTHER_NODE) {
            lock.acquire(ct);
            lock.release(ct);
        }
        ct.barrier();
    }

    private void tryToUse(RemoteCohortLock lock, ComputeThread ct) {
        isTrying = true;
        try {
            lock.acquire(ct);
            lock.release(ct);
        } catch (FabricException e) {
            // it was interrupted before its turn came
        }
        isTrying = false;
        Thread.interrupted();
    }
}
