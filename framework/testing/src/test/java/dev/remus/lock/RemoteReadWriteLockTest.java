// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class RemoteReadWriteLockTest {
    private static final long LONG = TimeUnit.MINUTES.toNanos(1);
    private static final long NOT_AT_ALL = 0;

    private interface Body {
        void run(RemoteReadWriteLock lock, ComputeThread ct) throws Exception;
    }

    private static final class Dies extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Runs a body in all threads, each with a view of its own of one lock. */
    private static ComputeNode.Body withLock(Body body) {
        return ct -> {
            if (ct.id() == 0) {
                RemoteReadWriteLock lock = new RemoteReadWriteLock(ct.threads());
                lock.allocate(ct);
                lock.init(ct);
                ct.root().set(new RdmaPtr<>(lock.pointer()));
            }
            ct.barrier();
            body.run(view(ct), ct);
        };
    }

    private static RemoteReadWriteLock view(ComputeThread ct) {
        RemoteReadWriteLock lock = new RemoteReadWriteLock(ct.threads());
        lock.at(ct.root().get());
        return lock;
    }

    private static void run(int computeNodes, int threads, Body body) throws Exception {
        ClusterConfig config =
                TestCluster.config(2, computeNodes, threads).checkMemory(true).build();
        TestCluster.of(config).run(withLock(body));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void itCostsTheRoundTripsOfTheClassComment(int threads) throws Exception {
        run(1, threads, (lock, ct) -> {
            if (ct.id() == 0) {
                for (int i = 0; i < 5 * threads; i++) {
                    assertThat(trips(() -> lock.acquireRead(ct), ct)).isEqualTo(1);
                    assertThat(trips(() -> lock.releaseRead(ct), ct)).isEqualTo(1);
                    assertThat(trips(() -> lock.acquireWrite(ct), ct)).isEqualTo(3);
                    assertThat(trips(() -> lock.releaseWrite(ct), ct)).isEqualTo(1);
                }
            }
        });
    }

    private static long trips(Runnable action, ComputeThread ct) {
        long before = ct.metrics().roundTrips();
        action.run();
        return ct.metrics().roundTrips() - before;
    }

    @Test
    void readersHoldItTogetherAndWritersOnlyAlone() throws Exception {
        AtomicInteger readers = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        run(2, 2, (lock, ct) -> {
            long counter = RdmaPtr.raw(1, 0, 64);
            if (ct.id() == 0) {
                ct.write(counter, 0);
            }
            ct.barrier();
            assertThat(lock.acquireRead(ct)).isEqualTo(Acquisition.NORMAL);
            ct.barrier(); // which all reach while all of them read
            lock.releaseRead(ct);
            for (int i = 0; i < 200; i++) {
                lock.acquireWrite(ct);
                assertThat(readers.get()).isZero();
                ct.post(counter, ct.read(counter) + 1);
                lock.releaseWrite(ct);
                lock.acquireRead(ct);
                most.accumulateAndGet(readers.incrementAndGet(), Math::max);
                long found = ct.read(counter);
                assertThat(ct.read(counter)).isEqualTo(found);
                readers.decrementAndGet();
                lock.releaseRead(ct);
            }
            ct.barrier();
            assertThat(ct.read(counter)).isEqualTo(200L * ct.threads());
        });
        assertThat(most).hasPositiveValue();
    }

    @Test
    void aReaderWaitsForTheWriterInsideAndEntersBeforeTheNextOne() throws Exception {
        run(1, 3, (lock, ct) -> {
            long reads = RdmaPtr.raw(1, 0, 64);
            if (ct.id() == 0) {
                ct.write(reads, 0);
                lock.acquireWrite(ct);
            }
            ct.barrier();
            switch (ct.id()) {
                case 0 -> {
                    ct.pause(TimeUnit.MILLISECONDS.toNanos(50)); // the others arrive, in whatever order
                    while (ct.read(slot(lock, 2, ct)) < 2) { // the reader gives way to this writer
                        ct.pause();
                    }
                    lock.releaseWrite(ct);
                }
                case 1 -> {
                    lock.acquireWrite(ct);
                    assertThat(ct.read(reads))
                            .as("the reader was inside before")
                            .isEqualTo(1);
                    lock.releaseWrite(ct);
                }
                default -> {
                    lock.acquireRead(ct);
                    ct.write(reads, 1);
                    lock.releaseRead(ct);
                }
            }
        });
    }

    private static long slot(RemoteReadWriteLock lock, int thread, ComputeThread ct) {
        return lock.pointer() + Long.BYTES + RemoteQueueLock.bytes(ct.threads()) + (long) thread * Long.BYTES;
    }

    @Test
    void aThreadThatGivesUpLeavesNothingBehind() throws Exception {
        run(1, 2, (lock, ct) -> {
            for (boolean writes : new boolean[] {false, true}) {
                if (ct.id() == 0) {
                    acquire(lock, writes, LONG, ct);
                }
                ct.barrier();
                if (ct.id() == 1) {
                    assertThat(lock.tryAcquireWrite(NOT_AT_ALL, ct)).isEqualTo(Acquisition.TIMED_OUT);
                    assertThat(lock.tryAcquireRead(NOT_AT_ALL, ct))
                            .isEqualTo(writes ? Acquisition.TIMED_OUT : Acquisition.NORMAL);
                    if (!writes) {
                        lock.releaseRead(ct);
                    }
                }
                ct.barrier();
                if (ct.id() == 0) {
                    release(lock, writes, ct);
                    assertThat(lock.tryAcquireRead(NOT_AT_ALL, ct)).isEqualTo(Acquisition.NORMAL);
                    lock.releaseRead(ct);
                    assertThat(lock.tryAcquireWrite(LONG, ct)).isEqualTo(Acquisition.NORMAL);
                    lock.releaseWrite(ct);
                }
                ct.barrier();
            }
        });
    }

    private static void acquire(RemoteReadWriteLock lock, boolean writes, long nanos, ComputeThread ct) {
        Acquisition acquisition = writes ? lock.tryAcquireWrite(nanos, ct) : lock.tryAcquireRead(nanos, ct);
        assertThat(acquisition).isEqualTo(Acquisition.NORMAL);
    }

    private static void release(RemoteReadWriteLock lock, boolean writes, ComputeThread ct) {
        if (writes) {
            lock.releaseWrite(ct);
        } else {
            lock.releaseRead(ct);
        }
    }

    @Test
    void acquiringItTwiceIsReportedAndDoesNoHarm() throws Exception {
        run(1, 2, (lock, ct) -> {
            if (ct.id() == 0) {
                for (boolean holdsAsWriter : new boolean[] {false, true}) {
                    acquire(lock, holdsAsWriter, LONG, ct);
                    for (boolean writes : new boolean[] {false, true}) {
                        for (RemoteReadWriteLock through : new RemoteReadWriteLock[] {lock, view(ct)}) {
                            assertThatThrownBy(() -> acquire(through, writes, LONG, ct))
                                    .isInstanceOf(IllegalStateException.class)
                                    .hasMessageContaining("not reentrant");
                        }
                    }
                    release(lock, holdsAsWriter, ct);
                }
            }
            ct.barrier();
            acquire(lock, true, LONG, ct);
            lock.releaseWrite(ct);
        });
    }

    @Test
    void releasingALockThatTheThreadDoesNotHoldIsReported() throws Exception {
        run(1, 1, (lock, ct) -> {
            isRefused(() -> lock.releaseRead(ct));
            isRefused(() -> lock.releaseWrite(ct));
            isRefused(lock::makeConsistent);
            lock.acquireRead(ct);
            isRefused(() -> lock.releaseWrite(ct));
            isRefused(() -> view(ct).releaseRead(ct));
            isRefused(lock::makeConsistent);
            lock.releaseRead(ct);
            lock.acquireWrite(ct);
            isRefused(() -> lock.releaseRead(ct));
            isRefused(() -> view(ct).releaseWrite(ct));
            lock.releaseWrite(ct);
            isRefused(() -> lock.releaseWrite(ct));
        });
    }

    private static void isRefused(Runnable action) {
        assertThatThrownBy(action::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("RemoteReadWriteLock at (");
    }

    // ---------------------------------------------------------------------------------------------- losses

    /** Three nodes of one thread each. Thread 2 dies with the lock, and the others go on. */
    private static void withDyingHolder(boolean writes, Body body) throws Exception {
        ClusterConfig config =
                TestCluster.config(1, 3, 1).onNodeLoss(OnNodeLoss.CONTINUE).build();
        try (TestCluster cluster = TestCluster.of(config).start()) {
            assertThatThrownBy(() -> cluster.runThreads(withLock((lock, ct) -> {
                        if (ct.id() == 2) {
                            acquire(lock, writes, LONG, ct);
                        }
                        ct.barrier();
                        if (ct.id() == 2) {
                            throw new Dies();
                        }
                        body.run(lock, ct);
                    })))
                    .isInstanceOf(Dies.class)
                    .satisfies(e -> assertThat(e.getSuppressed()).isEmpty());
        }
    }

    @Test
    void aLostReaderCountsAsOutsideAndLeavesTheDataInOrder() throws Exception {
        withDyingHolder(false, (lock, ct) -> {
            acquire(lock, true, LONG, ct);
            lock.releaseWrite(ct);
            acquire(lock, false, LONG, ct);
            lock.releaseRead(ct);
        });
    }

    @Test
    void readersLearnOfTheDeathOfAWriterUntilAWriterHasRepairedTheData() throws Exception {
        withDyingHolder(true, (lock, ct) -> {
            for (int i = 0; i < 3; i++) {
                assertThat(lock.acquireRead(ct)).isEqualTo(Acquisition.HOLDER_DIED);
                lock.releaseRead(ct);
            }
            ct.barrier();
            if (ct.id() == 0) {
                assertThat(lock.acquireWrite(ct)).isEqualTo(Acquisition.HOLDER_DIED);
                lock.releaseWrite(ct);
                assertThat(lock.acquireWrite(ct)).isEqualTo(Acquisition.HOLDER_DIED);
                lock.makeConsistent();
                lock.releaseWrite(ct);
            }
            ct.barrier();
            acquire(lock, false, LONG, ct);
            lock.releaseRead(ct);
        });
    }

    @Test
    void aReaderThatOnlyPollsGetsTheLockOfALostWriter() throws Exception {
        withDyingHolder(true, (lock, ct) -> {
            if (ct.id() == 0) {
                Acquisition acquisition = lock.tryAcquireRead(NOT_AT_ALL, ct);
                while (!acquisition.isHeld()) { // until the writer is cut off
                    ct.pause();
                    acquisition = lock.tryAcquireRead(NOT_AT_ALL, ct);
                }
                assertThat(acquisition).isEqualTo(Acquisition.HOLDER_DIED);
                lock.releaseRead(ct);
            }
        });
    }

    @Test
    void aWriterTakesTheLockOfALostWriterAndLearnsOfItsDeath() throws Exception {
        withDyingHolder(true, (lock, ct) -> {
            if (ct.id() == 0) {
                assertThat(lock.acquireWrite(ct)).isEqualTo(Acquisition.HOLDER_DIED);
                lock.makeConsistent();
                lock.releaseWrite(ct);
            }
            ct.barrier();
            acquire(lock, true, LONG, ct);
            lock.releaseWrite(ct);
        });
    }
}
