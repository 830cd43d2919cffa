// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class NodeLockTest {
    private static final int THREADS = 4;
    private static final int ROUNDS = 2_000;

    private interface Body {
        void run(NodeLock lock, NodeLock.Waiter me, ComputeThread ct) throws Exception;
    }

    private static void run(Body body) throws Exception {
        TestCluster.of(TestCluster.config(1, 1, THREADS).build())
                .run(ct -> body.run(
                        NodeObjects.of(ct, NodeLockTest.class, NodeLock.class, NodeLock::new),
                        new NodeLock.Waiter(ct),
                        ct));
    }

    @Test
    void oneThreadHoldsItAtATimeWhetherTheOthersWaitOrGiveUp() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        run((lock, me, ct) -> {
            for (int i = 0; i < ROUNDS; i++) {
                if (lock.tryAcquire(me, i % 2 == 0 ? Long.MAX_VALUE : i)) {
                    assertThat(inside.incrementAndGet()).isEqualTo(1);
                    inside.decrementAndGet();
                    if (i % 3 > 0 || !lock.passOn()) {
                        lock.release();
                    }
                }
            }
        });
    }

    @Test
    void itIsPassedOnToTheThreadThatHasWaitedLongestAndToNobodyIfNoneWaits() throws Exception {
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        run((lock, me, ct) -> {
            if (ct.id() == 0) {
                assertThat(lock.tryAcquire(me, 0)).isTrue();
                assertThat(lock.passOn()).isFalse();
            }
            ct.barrier();
            if (ct.id() > 0) {
                assertThat(lock.tryAcquire(me, 0)).isFalse();
            }
            ct.barrier(); // or else one that is about to give up is counted among the waiters
            if (ct.id() > 0) {
                awaitWaiters(ct.id() - 1, lock, ct); // they come one after the other
                assertThat(lock.tryAcquire(me, Long.MAX_VALUE)).isTrue();
                order.add(ct.id());
            } else {
                awaitWaiters(THREADS - 1, lock, ct);
            }
            lock.release();
        });
        assertThat(order).containsExactly(1, 2, 3);
    }

    private static void awaitWaiters(int count, NodeLock lock, ComputeThread ct) {
        while (lock.waiting() != count) {
            ct.pause();
        }
    }
}
