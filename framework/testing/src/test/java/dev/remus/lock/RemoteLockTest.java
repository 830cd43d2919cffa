// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class RemoteLockTest {
    private static final long LONG = TimeUnit.MINUTES.toNanos(1);
    private static final long NOT_AT_ALL = 0;

    private interface Body {
        void run(RemoteLock lock, ComputeThread ct) throws Exception;
    }

    private static final class Dies extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Runs a body in all threads, each with a view of its own of one lock. */
    private static ComputeNode.Body withLock(Body body) {
        return ct -> {
            if (ct.id() == 0) {
                RemoteLock lock = new RemoteLock(ct.threads());
                lock.allocate(ct);
                lock.init(ct);
                ct.root().set(new RdmaPtr<>(lock.pointer()));
            }
            ct.barrier();
            body.run(view(ct), ct);
        };
    }

    private static RemoteLock view(ComputeThread ct) {
        RemoteLock lock = new RemoteLock(ct.threads());
        lock.at(ct.root().get());
        return lock;
    }

    private static void run(int computeNodes, int threads, Body body) throws Exception {
        ClusterConfig config =
                TestCluster.config(2, computeNodes, threads).checkMemory(true).build();
        TestCluster.of(config).run(withLock(body));
    }

    @ParameterizedTest
    @CsvSource({"1, 3", "2, 2", "3, 2"})
    void itCostsTheRoundTripsOfTheClassComment(int threads, int toRelease) throws Exception {
        run(1, threads, (lock, ct) -> {
            if (ct.id() == 0) {
                for (int i = 0; i < 5; i++) {
                    long before = ct.metrics().roundTrips();
                    lock.acquire(ct);
                    assertThat(ct.metrics().roundTrips() - before).isEqualTo(2);
                    lock.release(ct);
                    assertThat(ct.metrics().roundTrips() - before).isEqualTo(2 + toRelease);
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void incrementsUnderTheLockAreNotLost(int threads) throws Exception {
        int rounds = 300;
        run(2, threads, (lock, ct) -> {
            long counter = RdmaPtr.raw(1, 0, 64);
            if (ct.id() == 0) {
                ct.write(counter, 0);
            }
            ct.barrier();
            for (int i = 0; i < rounds; i++) {
                lock.acquire(ct);
                ct.post(counter, ct.read(counter) + 1);
                lock.release(ct);
            }
            ct.barrier();
            assertThat(ct.read(counter)).isEqualTo((long) rounds * ct.threads());
        });
    }

    @Test
    void aSingleThreadMayAcquireItManyTimes() throws Exception {
        run(1, 1, (lock, ct) -> {
            for (int i = 0; i < 10; i++) {
                lock.acquire(ct);
                assertThat(lock.ticket()).isEqualTo(i);
                lock.release(ct);
            }
        });
    }

    @Test
    void theReleaserSkipsAThreadThatGaveUp() throws Exception {
        run(1, 3, (lock, ct) -> {
            if (ct.id() == 0) {
                lock.acquire(ct);
            }
            ct.barrier();
            if (ct.id() == 1) {
                assertThat(lock.tryAcquire(NOT_AT_ALL, ct)).isEqualTo(Acquisition.TIMED_OUT);
                assertThat(lock.ticket()).isEqualTo(1);
            }
            ct.barrier();
            if (ct.id() == 0) {
                lock.release(ct);
            } else if (ct.id() == 2) {
                assertThat(lock.tryAcquire(LONG, ct)).isEqualTo(Acquisition.NORMAL);
                assertThat(lock.ticket()).isEqualTo(2);
                lock.release(ct);
            }
        });
    }

    @Test
    void aThreadThatResumesInTimeKeepsItsPlace() throws Exception {
        run(1, 2, (lock, ct) -> {
            if (ct.id() == 0) {
                lock.acquire(ct);
            }
            ct.barrier();
            if (ct.id() == 1) {
                assertThat(lock.tryAcquire(NOT_AT_ALL, ct)).isEqualTo(Acquisition.TIMED_OUT);
                assertThat(lock.tryAcquire(NOT_AT_ALL, ct)).isEqualTo(Acquisition.TIMED_OUT);
                assertThat(lock.ticket()).isEqualTo(1);
            }
            ct.barrier();
            if (ct.id() == 0) {
                lock.release(ct);
            } else {
                assertThat(lock.tryAcquire(LONG, ct)).isEqualTo(Acquisition.NORMAL);
                lock.release(ct);
            }
            ct.barrier();
            assertThat(lock.holder(ct)).isEmpty();
        });
    }

    @Test
    void aTicketThatNobodyClaimsDoesNotKeepTheLockFromAThreadThatNeverWaits() throws Exception {
        run(1, 2, (lock, ct) -> {
            if (ct.id() == 0) {
                ct.fetchAndAdd(lock.pointer(), 1); // the first word: as a thread that has not learnt its ticket
                long start = System.nanoTime();
                while (!lock.tryAcquire(NOT_AT_ALL, ct).isHeld()) {
                    assertThat(System.nanoTime() - start).isLessThan(LONG);
                }
                assertThat(lock.ticket()).isEqualTo(1);
                lock.release(ct);
            }
        });
    }

    @Test
    void moreTicketsThanThreadsMayBeAbandonedThroughDifferentViews() throws Exception {
        run(1, 2, (lock, ct) -> {
            if (ct.id() == 0) {
                lock.acquire(ct);
                ct.barrier();
                ct.barrier();
                lock.release(ct);
            } else {
                ct.barrier();
                assertThat(view(ct).tryAcquire(NOT_AT_ALL, ct)).isEqualTo(Acquisition.TIMED_OUT);
                ct.barrier();
                for (int i = 0; i < 5; i++) {
                    RemoteLock other = view(ct);
                    if (other.tryAcquire(NOT_AT_ALL, ct).isHeld()) {
                        other.release(ct);
                    }
                }
            }
            ct.barrier();
            lock.acquire(ct);
            lock.release(ct);
        });
    }

    @Test
    void itNamesItsHolder() throws Exception {
        run(2, 2, (lock, ct) -> {
            assertThat(lock.holder(ct)).isEmpty();
            ct.barrier();
            if (ct.id() == 2) {
                lock.acquire(ct);
            }
            ct.barrier();
            assertThat(lock.holder(ct)).hasValue(2);
            ct.barrier();
            if (ct.id() == 2) {
                lock.release(ct);
            }
            ct.barrier();
            assertThat(lock.holder(ct)).isEmpty();
        });
    }

    @Test
    void itNamesItsHolderEvenIfMoreTicketsAreAbandonedThanThereAreThreads() throws Exception {
        AtomicBoolean released = new AtomicBoolean();
        run(1, 3, (lock, ct) -> {
            if (ct.id() == 0) {
                lock.acquire(ct);
            }
            ct.barrier();
            if (ct.id()
                    == 1) { // the third of these does not return before the lock is released: its entry is the holder's
                for (int i = 0; i < 3; i++) {
                    RemoteLock other = view(ct);
                    if (other.tryAcquire(NOT_AT_ALL, ct).isHeld()) {
                        other.release(ct);
                    }
                }
                assertThat(released).isTrue();
            } else if (ct.id() == 2) {
                while (ct.read(lock.pointer()) < 4) { // four tickets are drawn: the holder's, and three
                    ct.pause();
                }
                assertThat(lock.holder(ct)).hasValue(0);
                released.set(true);
            } else {
                while (!released.get()) {
                    ct.pause();
                }
                lock.release(ct);
            }
            ct.barrier();
            assertThat(lock.holder(ct)).isEmpty();
        });
    }

    @Test
    void acquiringItTwiceIsReportedAndDoesNoHarm() throws Exception {
        run(1, 2, (lock, ct) -> {
            if (ct.id() == 0) {
                lock.acquire(ct);
                assertThatThrownBy(() -> lock.acquire(ct))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("not reentrant");
                assertThatThrownBy(() -> view(ct).acquire(ct))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("not reentrant");
                lock.release(ct);
            }
            ct.barrier();
            assertThat(lock.tryAcquire(LONG, ct)).isEqualTo(Acquisition.NORMAL);
            lock.release(ct);
        });
    }

    @Test
    void releasingALockThatTheThreadDoesNotHoldIsReported() throws Exception {
        run(1, 2, (lock, ct) -> {
            if (ct.id() == 0) {
                assertThatThrownBy(() -> lock.release(ct)).isInstanceOf(IllegalStateException.class);
                lock.acquire(ct);
                assertThatThrownBy(() -> view(ct).release(ct)).isInstanceOf(IllegalStateException.class);
                lock.release(ct);
                assertThatThrownBy(() -> lock.release(ct)).isInstanceOf(IllegalStateException.class);
            }
        });
    }

    // ---------------------------------------------------------------------------------------------- losses

    /** Three nodes of one thread each. Thread 2 dies during an action, and the others go on. */
    private static void withDying(Body body) throws Exception {
        ClusterConfig config =
                TestCluster.config(1, 3, 1).onNodeLoss(OnNodeLoss.CONTINUE).build();
        try (TestCluster cluster = TestCluster.of(config).start()) {
            assertThatThrownBy(() -> cluster.runThreads(withLock(body)))
                    .isInstanceOf(Dies.class)
                    .satisfies(e -> assertThat(e.getSuppressed()).isEmpty());
        }
    }

    /** Thread 2 dies with the lock; then the others act. */
    private static void withDyingHolder(Body body) throws Exception {
        withDying((lock, ct) -> {
            if (ct.id() == 2) {
                lock.acquire(ct);
            }
            ct.barrier();
            if (ct.id() == 2) {
                throw new Dies();
            }
            body.run(lock, ct);
        });
    }

    @Test
    void theNextInLineGetsTheLockOfALostHolderAndLearnsOfItsDeath() throws Exception {
        AtomicBoolean isRepaired = new AtomicBoolean();
        withDyingHolder((lock, ct) -> {
            Acquisition acquisition = lock.acquire(ct);
            assertThat(acquisition).isEqualTo(isRepaired.get() ? Acquisition.NORMAL : Acquisition.HOLDER_DIED);
            lock.makeConsistent();
            isRepaired.set(true);
            lock.release(ct);
            assertThat(lock.acquire(ct)).isEqualTo(Acquisition.NORMAL);
            lock.release(ct);
        });
    }

    @Test
    void aDeathIsReportedUntilAHolderDeclaresTheDataConsistent() throws Exception {
        withDyingHolder((lock, ct) -> {
            if (ct.id() == 0) {
                for (int i = 0; i < 3; i++) {
                    assertThat(lock.acquire(ct)).isEqualTo(Acquisition.HOLDER_DIED);
                    lock.release(ct);
                }
                assertThat(lock.tryAcquire(LONG, ct)).isEqualTo(Acquisition.HOLDER_DIED);
                lock.makeConsistent();
                lock.release(ct);
                assertThat(lock.tryAcquire(LONG, ct)).isEqualTo(Acquisition.NORMAL);
                lock.release(ct);
            }
        });
    }

    @Test
    void aThreadThatOnlyTriesGetsTheLockOfALostHolderToo() throws Exception {
        withDyingHolder((lock, ct) -> {
            if (ct.id() == 0) {
                Acquisition acquisition = lock.tryAcquire(NOT_AT_ALL, ct);
                while (!acquisition.isHeld()) {
                    ct.pause();
                    acquisition = lock.tryAcquire(NOT_AT_ALL, ct);
                }
                assertThat(acquisition).isEqualTo(Acquisition.HOLDER_DIED);
                lock.release(ct);
            }
        });
    }

    @Test
    void everyThreadThatCannotRepairTheDataLearnsWhichHolderWasLost() throws Exception {
        withDyingHolder((lock, ct) -> {
            for (int i = 0; i < 2; i++) {
                assertThat(catchThrowable(() -> lock.acquireConsistent(ct)))
                        .isInstanceOfSatisfying(LostHolderException.class, e -> {
                            assertThat(e.thread()).isEqualTo(2);
                            assertThat(e.node()).isEqualTo(3);
                        })
                        .hasMessageContaining("was held by thread 2 of Compute Node 3, which is lost");
            }
        });
    }

    @Test
    void onlyAHolderDeclaresTheDataConsistent() throws Exception {
        run(1, 1, (lock, ct) -> {
            assertThatThrownBy(lock::makeConsistent).isInstanceOf(IllegalStateException.class);
            lock.acquire(ct);
            lock.makeConsistent();
            lock.release(ct);
            assertThatThrownBy(lock::makeConsistent).isInstanceOf(IllegalStateException.class);
        });
    }

    @Test
    void aThreadThatEndsWithoutReleasingItIsReportedAndNoWaiterHangs() throws Exception {
        ClusterConfig config =
                TestCluster.config(1, 2, 1).onNodeLoss(OnNodeLoss.CONTINUE).build();
        try (TestCluster cluster = TestCluster.of(config).start()) {
            assertThatThrownBy(() -> cluster.runThreads(withLock((lock, ct) -> {
                        if (ct.id() == 1) {
                            lock.acquire(ct);
                        }
                        ct.barrier();
                        if (ct.id() == 0) {
                            assertThat(lock.acquire(ct)).isEqualTo(Acquisition.HOLDER_DIED);
                            lock.release(ct);
                        }
                    })))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageMatching(
                            "Compute Thread 0 of Compute Node 2 has ended without releasing the lock at \\(.*\\)");
        }
    }

    @Test
    void aThreadThatIsLostWhileItWaitsIsSkipped() throws Exception {
        withDying((lock, ct) -> {
            if (ct.id() == 0) {
                lock.acquire(ct);
            }
            ct.barrier();
            if (ct.id() == 2) {
                // As if it had died while it waited: a claimed ticket without a waiter.
                long ticket = ct.fetchAndAdd(lock.pointer(), 1);
                long entry = lock.pointer() + 8 + 8 * ticket;
                assertThat(ct.compareAndSwap(entry, TicketState.free(ticket), TicketState.waiting(ticket, 2)))
                        .isEqualTo(TicketState.free(ticket));
            }
            ct.barrier();
            if (ct.id() == 2) {
                throw new Dies();
            }
            releasedByTheFirstAndTakenByTheSecond(lock, ct);
        });
    }

    @Test
    void aThreadThatIsLostBeforeItClaimedItsTicketIsSkipped() throws Exception {
        withDying((lock, ct) -> {
            if (ct.id() == 0) {
                lock.acquire(ct);
            }
            ct.barrier();
            if (ct.id() == 2) {
                ct.fetchAndAdd(lock.pointer(), 1);
            }
            ct.barrier();
            if (ct.id() == 2) {
                throw new Dies();
            }
            releasedByTheFirstAndTakenByTheSecond(lock, ct);
        });
    }

    @Test
    void theTurnOfALostThreadIsPassedOn() throws Exception {
        withDying((lock, ct) -> {
            if (ct.id() == 2) {
                ct.fetchAndAdd(lock.pointer(), 1);
            }
            ct.barrier();
            if (ct.id() == 2) {
                throw new Dies();
            }
            lock.acquire(ct);
            lock.release(ct);
        });
    }

    /** The first thread holds the lock, the lost one is behind it, the second comes last. */
    private static void releasedByTheFirstAndTakenByTheSecond(RemoteLock lock, ComputeThread ct) {
        if (ct.id() == 0) {
            while (!ct.peers().isLost(2)) {
                ct.pause();
            }
            lock.release(ct);
        } else {
            lock.acquire(ct);
            assertThat(lock.ticket()).isEqualTo(2);
            lock.release(ct);
        }
    }

    @Test
    void aLockStateStaysAsItWas() {
        List<Integer> waiters = new ArrayList<>(List.of(3, 5));
        LockState state = new LockState(OptionalInt.of(1), waiters, 7);
        waiters.clear();
        assertThat(state.waiters()).containsExactly(3, 5);
    }
}
