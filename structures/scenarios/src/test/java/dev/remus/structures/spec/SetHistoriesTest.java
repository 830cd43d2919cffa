// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import static dev.remus.structures.spec.SetOperation.contains;
import static dev.remus.structures.spec.SetOperation.insert;
import static dev.remus.structures.spec.SetOperation.remove;
import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.check.Invocation;
import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.check.Verdict;
import org.junit.jupiter.api.Test;

class SetHistoriesTest {
    private final Recorder<SetOperation<Long>, Boolean> recorder = new Recorder<>();

    private Verdict<SetOperation<Long>, Boolean> verdict() {
        return new LinearizabilityChecker<>(new SetSpecification<Long>()).check(recorder.history());
    }

    private void returns(boolean result, SetOperation<Long> operation) {
        recorder.record(0, operation, () -> result);
    }

    @Test
    void oneThreadMaySeeTheResultsOfASequentialSet() {
        returns(false, contains(3L));
        returns(false, remove(3L));
        returns(true, insert(3L));
        returns(false, insert(3L));
        returns(true, contains(3L));
        returns(true, remove(3L));
        returns(false, contains(3L));
        assertThat(verdict().isAccepted()).isTrue();
    }

    @Test
    void aLostInsertIsFoundWhereItIsMissed() {
        returns(true, insert(3L));
        returns(true, insert(4L));
        returns(false, contains(3L));
        Verdict<SetOperation<Long>, Boolean> verdict = verdict();
        assertThat(verdict.isRejected()).isTrue();
        assertThat(verdict.stuck().operation()).isEqualTo(contains(3L));
        assertThat(verdict.history().invocations())
                .extracting(Invocation::operation)
                .containsExactly(insert(3L), contains(3L));
    }

    @Test
    void oneOfTwoConcurrentInsertsFails() {
        int a = recorder.call(0, insert(3L));
        int b = recorder.call(1, insert(3L));
        recorder.returned(a, true);
        recorder.returned(b, false);
        assertThat(verdict().isAccepted()).isTrue();
    }

    @Test
    void twoConcurrentInsertsOfOneKeyDoNotBothSucceed() {
        int a = recorder.call(0, insert(3L));
        int b = recorder.call(1, insert(3L));
        recorder.returned(a, true);
        recorder.returned(b, true);
        assertThat(verdict().isRejected()).isTrue();
    }

    @Test
    void containsMayMissAKeyThatIsInsertedMeanwhileButNotOneThatWasInsertedBefore() {
        int contains = recorder.call(1, contains(3L));
        returns(true, insert(3L));
        recorder.returned(contains, false);
        assertThat(verdict().isAccepted()).isTrue();
        recorder.record(1, contains(3L), () -> false);
        assertThat(verdict().isRejected()).isTrue();
    }

    /** A traversal that meets a marked node must not report the key after the remove has returned. */
    @Test
    void containsDoesNotSeeAKeyWhoseRemoveHasReturned() {
        returns(true, insert(3L));
        returns(true, remove(3L));
        recorder.record(1, contains(3L), () -> true);
        assertThat(verdict().isRejected()).isTrue();
    }

    @Test
    void anInsertThatCrashedMayHaveHappenedOrNotButOnlyOnce() {
        recorder.call(1, insert(3L));
        returns(false, contains(3L));
        returns(true, contains(3L));
        returns(true, remove(3L));
        assertThat(verdict().isAccepted()).isTrue();
        returns(true, contains(3L));
        assertThat(verdict().isRejected()).isTrue();
    }

    @Test
    void aRemoveThatCrashedExplainsThatAKeyIsGone() {
        returns(true, insert(3L));
        recorder.call(1, remove(3L));
        returns(true, contains(3L));
        returns(false, contains(3L));
        assertThat(verdict().isAccepted()).isTrue();
    }

    @Test
    void aSetThatWasFilledBeforehandHoldsEveryKey() {
        returns(false, insert(1L));
        returns(true, remove(2L));
        returns(false, contains(2L));
        assertThat(verdict().isRejected()).isTrue();
        assertThat(new LinearizabilityChecker<>(SetSpecification.<Long>full())
                        .check(recorder.history())
                        .isAccepted())
                .isTrue();
    }
}
