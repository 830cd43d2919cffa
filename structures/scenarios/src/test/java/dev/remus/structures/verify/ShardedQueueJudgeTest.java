// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.check.Verdict.Outcome;
import dev.remus.verify.OperationLog;
import dev.remus.verify.RecordedRun;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The items of these runs are even in shard 0 and odd in shard 1. */
class ShardedQueueJudgeTest {
    private static final ShardedQueueJudge JUDGE = new ShardedQueueJudge(2, Long::toString, item -> (int) (item % 2));

    private final OperationLog log = new OperationLog(100);
    private long now;

    private void enqueue(long item) {
        log.call(QueueCodes.ENQUEUE, item, ++now);
        log.returned(QueueCodes.ENQUEUED, item, ++now);
    }

    private void dequeue(long item) {
        log.call(QueueCodes.DEQUEUE, 0, ++now);
        log.returned(QueueCodes.ITEM, item, ++now);
    }

    private void dequeueFindsItEmpty() {
        log.call(QueueCodes.DEQUEUE, 0, ++now);
        log.returned(QueueCodes.EMPTY, 0, ++now);
    }

    private RunVerdict verdict() {
        return JUDGE.judge(RecordedRun.of(List.of(log)));
    }

    @Test
    void itemsOfOneShardMayOvertakeThoseOfAnother() {
        enqueue(2);
        enqueue(4);
        enqueue(1);
        dequeue(1);
        dequeue(2);
        dequeue(4);
        dequeueFindsItEmpty();
        assertThat(verdict()).hasToString("7 operations: each shard linearizable");
        assertThat(QueueJudge.ofLinearizability(Long::toString)
                        .judge(RecordedRun.of(List.of(log)))
                        .outcome())
                .isEqualTo(Outcome.REJECTED);
    }

    @Test
    void itemsOfOneShardMustNotOvertakeEachOther() {
        enqueue(1);
        enqueue(2);
        enqueue(3);
        dequeue(2);
        dequeue(3);
        dequeue(1);
        assertThat(verdict()).hasToString("6 operations: NOT EACH SHARD LINEARIZABLE");
        assertThat(verdict().evidence().orElseThrow().drawing())
                .contains("enqueue(3)")
                .doesNotContain("(2)");
    }

    @Test
    void aQueueIsNotEmptyWhileAnyShardHasAnItem() {
        enqueue(1);
        enqueue(2);
        dequeue(1);
        dequeueFindsItEmpty();
        assertThat(verdict().outcome()).isEqualTo(Outcome.REJECTED);
    }

    @Test
    void aDequeueThatDidNotReturnMayHaveTakenTheItemOfAnyShard() {
        enqueue(1);
        enqueue(3);
        enqueue(2);
        log.call(QueueCodes.DEQUEUE, 0, ++now);
        assertThat(verdict().isAccepted()).isTrue();
    }
}
