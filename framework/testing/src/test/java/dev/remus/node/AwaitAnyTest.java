// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static dev.remus.node.CompletionGrade.LOCAL;
import static dev.remus.node.CompletionGrade.REMOTE;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that sleeps until the next completion of any operation. */
@Timeout(120)
class AwaitAnyTest extends HeldLanes {
    @Test
    void withoutAnArmedIdTheNextCompletionOfAnyOperationEndsTheSleepOnce() throws Exception {
        holdAll(true);
        RemoteFuture a = ct.async().read(near);
        RemoteFuture b = ct.async().read(far);
        assertThat(ct.async().tryAwaitAny(0)).isNull();
        assertThat(ct.async().tryAwaitAny(1_000_000)).isNull();
        Thread other = whenThisThreadSleeps(() -> {
            hold(1, 0, false);
            hold(1, 1, false);
        });
        assertThat(ct.async().awaitAny()).isSameAs(barrier(1));
        other.join();
        assertThat(ct.async().tryAwaitAny(0)).as("reported once").isNull();
        assertThat(b.isDone()).isTrue();
        assertThat(a.isDone()).isFalse();
        holdAll(false);
        assertThat(ct.async().awaitAny()).isSameAs(barrier(0));
        assertNothingIsToBeReported();
        a.await();
        b.await();
        assertNothingIsToBeReported();
    }

    @Test
    void tenOperationsAreReportedAtMostTenTimesAndNoneIsMissed() {
        for (int round = 0; round < 20; round++) {
            long last = 0;
            for (int i = 0; i < 10; i++) {
                last = ct.async().write(near + 8L * (i % 4), i).detach();
            }
            int reports = 0;
            long completed = 0;
            while (completed < last) {
                assertThat(ct.async().awaitAny()).isSameAs(barrier(0));
                completed = barrier(0).completed(LOCAL);
                reports++;
            }
            assertThat(reports).isLessThanOrEqualTo(10);
            barrier(0).await(last, REMOTE);
            assertNothingIsToBeReported(); // the framework's own READs, which place WRITEs, are not reported
        }
    }

    @Test
    void aCompletionThatTheThreadHasLearnedOfIsNotReportedAgain() {
        RemoteFuture looked = ct.async().read(near);
        while (!looked.isDone()) {
            Thread.onSpinWait();
        }
        assertNothingIsToBeReported();
        RemoteFuture waited = ct.async().read(far);
        while (!waited.tryAwait(1_000)) {
            Thread.onSpinWait();
        }
        assertNothingIsToBeReported();
        looked.await();
        waited.await();
        ct.async().write(far, 1).await();
        assertNothingIsToBeReported();
        long id = ct.async().read(near).detach();
        barrier(0).await(id, LOCAL);
        assertNothingIsToBeReported();
        ct.async().read(near).detach();
        ct.async().write(far, 1).detach();
        ct.async().awaitAll();
        assertNothingIsToBeReported();
        ct.async().read(far).detach();
        ct.place();
        assertNothingIsToBeReported();
    }

    @Test
    void aResultAboutAnotherOperationHidesNoCompletion() {
        holdAll(true);
        RemoteFuture first = ct.async().read(near);
        long last = ct.async().read(near).detach();
        assertThat(first.isDone()).isFalse();
        holdAll(false);
        while (barrier(0).tryAwait(last, LOCAL, 1_000) < last) {
            Thread.onSpinWait();
        }
        assertThat(ct.async().awaitAny()).isSameAs(barrier(0));
        assertNothingIsToBeReported();
        first.await();
    }

    @Test
    void anArmedIdIsReportedWhateverElseIsReported() {
        holdAll(true);
        ct.async().read(near).detach();
        long last = ct.async().read(near).detach();
        assertThat(barrier(0).poll(last, LOCAL)).isZero();
        assertThat(ct.async().tryAwaitAny(0)).isNull();
        holdAll(false);
        while (barrier(0).completed(LOCAL) < last) {
            assertThat(ct.async().awaitAny()).isSameAs(barrier(0));
        }
        assertThat(ct.async().awaitArmed()).isSameAs(barrier(0));
    }
}
