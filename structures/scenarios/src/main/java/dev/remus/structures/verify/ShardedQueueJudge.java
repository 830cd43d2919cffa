// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.verify;

import dev.remus.check.Verdict.Outcome;
import dev.remus.verify.RecordedRun;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.LongToIntFunction;

/**
 * Does the recorded run of a {@link dev.remus.structures.ShardedQueue} keep its promise that each shard is
 * linearizable? The operations of each shard are judged as those of a queue of its own ({@link QueueJudge}). A dequeue
 * that found the queue empty has found each shard empty during its call, so it belongs to all of them, and so does one
 * that is pending.
 *
 * @param shards the number of shards
 * @param names names items in drawings, each by a name of its own
 * @param homes the shard of an item: that of its producer
 */
public record ShardedQueueJudge(int shards, LongFunction<String> names, LongToIntFunction homes) {
    private static final String PROPERTY = "each shard linearizable";

    /**
     * Judges a run that is recorded in {@link QueueCodes}.
     *
     * @throws IllegalArgumentException if two enqueues have the same item
     */
    public RunVerdict judge(RecordedRun run) {
        QueueJudge judge = QueueJudge.ofLinearizability(names);
        for (int shard = 0; shard < shards; shard++) {
            int home = shard;
            RunVerdict verdict = judge.judge(run.only(i -> concerns(home, run, i)));
            if (!verdict.isAccepted()) {
                return new RunVerdict(verdict.outcome(), PROPERTY, run.size(), verdict.evidence());
            }
        }
        return new RunVerdict(Outcome.ACCEPTED, PROPERTY, run.size(), Optional.empty());
    }

    private boolean concerns(int shard, RecordedRun run, int i) {
        boolean hasItem = run.kind(i) == QueueCodes.ENQUEUE || !run.isPending(i) && run.outcome(i) == QueueCodes.ITEM;
        return !hasItem || homes.applyAsInt(run.value(i)) == shard;
    }
}
