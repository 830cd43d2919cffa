// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.OutcomeUnknownException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Releases of locks when the wait for something ends with a failure, and what was awaited arrives afterwards. */
@Timeout(120)
class ReleasesTest extends HeldLanes {
    private LockWords locks;
    private long mark;

    @BeforeEach
    void mark() {
        locks = ct.lockWords();
        mark = locks.newMark();
    }

    @Test
    void aLockWhoseSwapArrivesAfterAnInterruptIsReleasedByTheNextOperation() throws Exception {
        int lane = holdNext();
        interrupted(() -> locks.tryAcquire(near, mark));
        Thread other = whenThisThreadSleeps(() -> hold(0, lane, false));
        ct.read(far);
        other.join();
        assertThat(ct.read(near)).isEqualTo(LockWords.FREE);
        assertThat(locks.tryAcquire(near, locks.newMark())).isEqualTo(LockWords.FREE);
    }

    @Test
    void aLockWhoseSwapArrivesAfterAnInterruptIsReleasedWhileItsThreadPauses() throws Exception {
        int lane = holdNext();
        interrupted(() -> locks.tryAcquire(near, mark));
        hold(0, lane, false);
        ct.pause();
        hold(0, lane, true);
        hold(0, 1 - lane, true);
        ct.read(far); // which would wait for the release
        holdAll(false);
        assertThat(ct.read(near)).isEqualTo(LockWords.FREE);
    }

    @Test
    void anAbandonedWriteIsPlacedBeforeALockIsReleased() throws Exception {
        assertThat(locks.tryAcquire(near, mark)).isEqualTo(LockWords.FREE);
        int lane = holdNext();
        interrupted(() -> ct.write(near + 8, 5));
        Thread other = whenThisThreadSleeps(() -> hold(0, lane, false));
        locks.postRelease(near, mark);
        other.join();
        holdAll(true);
        assertThat(fabric.lane(2, 0, lane).hasRequestOfThisThread()).isFalse();
        holdAll(false);
        assertThat(ct.read(near + 8)).isEqualTo(5);
        ct.place();
        assertThat(ct.read(near)).isEqualTo(LockWords.FREE);
    }

    @Test
    void aWriteWhosePlacingWasInterruptedIsPlacedBeforeALockIsReleased() throws Exception {
        assertThat(locks.tryAcquire(near, mark)).isEqualTo(LockWords.FREE);
        int lane = holdNext();
        ct.post(near + 8, 5);
        interrupted(ct::place);
        Thread other = whenThisThreadSleeps(() -> hold(0, lane, false));
        locks.release(near, mark);
        other.join();
        assertThat(fabric.lane(2, 0, lane).hasRequestOfThisThread()).isFalse();
        assertThat(ct.read(near)).isEqualTo(LockWords.FREE);
        ct.place();
        assertThat(ct.read(near + 8)).isEqualTo(5);
    }

    @Test
    void aReleaseWhoseLaneBreaksIsMadeAlthoughAnotherIsRepeatedFirst() {
        long second = locks.newMark();
        assertThat(locks.tryAcquire(near, mark)).isEqualTo(LockWords.FREE);
        assertThat(locks.tryAcquire(near + 8, second)).isEqualTo(LockWords.FREE);
        locks.postRelease(near + 8, second);
        ct.post(far, 1); // the lanes are used in turn
        fabric.lane(2, 0, 0).failNext(CompletionStatus.RETRY_EXCEEDED);
        fabric.lane(2, 0, 1).failNext(CompletionStatus.RETRY_EXCEEDED);
        locks.release(near, mark);
        assertThat(ct.read(near)).isEqualTo(LockWords.FREE);
        assertThat(ct.read(near + 8)).isEqualTo(LockWords.FREE);
    }

    @Test
    void aLostWriteIsReportedAlthoughReleasesAreRepeatedFirst() {
        long second = locks.newMark();
        assertThat(locks.tryAcquire(near, mark)).isEqualTo(LockWords.FREE);
        assertThat(locks.tryAcquire(near + 16, second)).isEqualTo(LockWords.FREE);
        int lane = holdNext();
        ct.post(near + 8, 5);
        ct.post(far, 1); // the lanes are used in turn
        locks.postRelease(near, mark);
        ct.post(far, 1);
        locks.postRelease(near + 16, second);
        ct.post(far, 1);
        fabric.lane(2, 0, lane).failNext(CompletionStatus.RETRY_EXCEEDED);
        hold(0, lane, false);
        assertThatThrownBy(() -> {
                    ct.read(near);
                    ct.place();
                })
                .isInstanceOf(OutcomeUnknownException.class);
        assertThat(ct.read(near)).isEqualTo(LockWords.FREE);
        assertThat(ct.read(near + 16)).isEqualTo(LockWords.FREE);
    }

    @Test
    void aSequenceThatIsInterruptedCanBeUndone() throws Exception {
        LocalBuffer result = ct.allocateLocal(Long.BYTES);
        int lane = holdNext();
        interrupted(() -> ct.sequence()
                .compareAndSwap(near, LockWords.FREE, mark, result, 0)
                .execute());
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> locks.release(near, mark)).isInstanceOf(FabricException.class);
        Thread.interrupted();
        Thread other = whenThisThreadSleeps(() -> hold(0, lane, false));
        ct.place();
        other.join();
        assertThat(ct.read(near)).isEqualTo(LockWords.FREE);
    }

    @Test
    void aReadOfAnInterruptedSequenceDoesNotChangeLocalMemoryAfterALaterRead() throws Exception {
        LocalBuffer copy = ct.allocateLocal(Long.BYTES);
        ct.write(near, 10);
        ct.write(far, 20);
        int lane = holdNext();
        interrupted(() -> ct.sequence().read(near, copy, 0, Long.BYTES).execute());
        Thread other = whenThisThreadSleeps(() -> hold(0, lane, false));
        ct.read(far, copy, 0, Long.BYTES);
        other.join();
        assertThat(fabric.lane(2, 0, lane).hasRequestOfThisThread()).isFalse();
        assertThat(copy.getLong(0)).isEqualTo(20);
    }

    @Test
    void aCleanupBeginsWhenNothingThatWasGivenUpCanTakeEffectAnyMore() throws Exception {
        int lane = holdNext();
        interrupted(() -> ct.compareAndSwap(near, 0, 5));
        Thread.currentThread().interrupt();
        Cleanup.run(() -> ct.compareAndSwap(near, 5, 6), ct);
        assertThatThrownBy(ct::place).isInstanceOf(FabricException.class);
        Thread.interrupted();
        Thread other = whenThisThreadSleeps(() -> hold(0, lane, false));
        assertThat(ct.read(near)).isEqualTo(6);
        other.join();
    }

    @Test
    void aCleanupWhoseLaneBreaksIsRepeated() {
        fabric.lane(2, 0, 0).failNext(CompletionStatus.RETRY_EXCEEDED);
        fabric.lane(2, 0, 1).failNext(CompletionStatus.RETRY_EXCEEDED);
        Cleanup.run(() -> ct.compareAndSwap(near, 0, 6), ct);
        assertThat(ct.read(near)).isEqualTo(6);
    }

    @Test
    void aCleanupRunsInTheMiddleOfASequenceAndOfAWrite() throws Exception {
        LocalBuffer copy = ct.allocateLocal(Long.BYTES);
        copy.putLong(0, 7);
        leaveCleanup(near + 8);
        ct.sequence().write(near, copy, 0, Long.BYTES).execute();
        leaveCleanup(near + 16);
        ct.write(near + 24, 9);
        assertThat(ct.read(near)).isEqualTo(7);
        assertThat(ct.read(near + 8)).isEqualTo(1);
        assertThat(ct.read(near + 16)).isEqualTo(1);
        assertThat(ct.read(near + 24)).isEqualTo(9);
    }

    /** Leaves a cleanup that WRITEs 1 to a word. */
    private void leaveCleanup(long word) throws Exception {
        hold(0, 0, true);
        hold(0, 1, true);
        interrupted(() -> ct.read(near));
        Thread.currentThread().interrupt();
        Cleanup.run(() -> ct.write(word, 1), ct);
        Thread.interrupted();
        holdAll(false);
    }

    /** Holds the lane of Memory Node 0 on which the thread posts next, and returns its number. */
    private int holdNext() {
        int lane = nextLane();
        hold(0, lane, true);
        return lane;
    }

    private static void interrupted(ThrowingCallable wait) throws Exception {
        Thread sleeper = Thread.currentThread();
        Thread other = whenThisThreadSleeps(sleeper::interrupt);
        assertThatThrownBy(wait).isInstanceOf(FabricException.class).hasMessageContaining("interrupted");
        Thread.interrupted();
        other.join();
    }
}
