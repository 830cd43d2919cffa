// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnreportedCompletionsTest {
    private final UnreportedCompletions unreported = new UnreportedCompletions(4);

    @Test
    void anEndedOperationIsUnreportedUntilItIsReported() {
        assertThat(unreported.isAny()).isFalse();
        unreported.ended(2);
        unreported.ended(1);
        assertThat(unreported.newest()).isEqualTo(2);
        unreported.reported(2);
        unreported.reported(3); // has not ended
        assertThat(unreported.isAny()).isTrue();
        unreported.reported(1);
        unreported.reported(1);
        assertThat(unreported.isAny()).isFalse();
    }

    @Test
    void aReportUpToAnIdCoversAllIdsUpToItAndNoneAbove() {
        for (long id = 1; id <= 3; id++) {
            unreported.ended(id);
        }
        unreported.reportedUpTo(2);
        assertThat(unreported.isAny()).isTrue();
        unreported.reportedUpTo(1);
        assertThat(unreported.isAny()).isTrue();
        unreported.reportedUpTo(3);
        assertThat(unreported.isAny()).isFalse();
        unreported.ended(4);
        assertThat(unreported.isAny()).isTrue();
        unreported.reportedAll();
        assertThat(unreported.isAny()).isFalse();
    }

    @Test
    void anIdDisplacedByALaterOneStaysUnreported() {
        unreported.ended(1);
        unreported.ended(5); // in the place of 1
        unreported.reported(5);
        assertThat(unreported.isAny()).isTrue();
        unreported.reportedUpTo(0);
        assertThat(unreported.isAny()).isTrue();
        unreported.reportedUpTo(5);
        assertThat(unreported.isAny()).isFalse();
        unreported.ended(6);
        unreported.ended(10);
        unreported.reportedAll();
        assertThat(unreported.isAny()).isFalse();
    }

    @Test
    void theSameHoldsManyIdsLater() {
        for (long id = 1; id <= 1_000; id++) {
            unreported.ended(id);
            if (id % 3 == 0) {
                unreported.reportedUpTo(id);
                assertThat(unreported.isAny()).as("after %d", id).isFalse();
            }
        }
        assertThat(unreported.isAny()).isTrue();
    }
}
