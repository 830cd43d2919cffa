// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.node.ComputeThread;
import dev.remus.structures.RemoteLongSet;
import dev.remus.structures.verify.SetCodes;
import dev.remus.tools.latency.Latencies;
import dev.remus.tools.verify.RunLog;

/**
 * Executes one thread's operations, and observes what the run requires: latencies, results, or neither.
 *
 * @param set the set
 * @param latencies get the latencies
 * @param isTimed whether to record latencies
 * @param log gets the operations with their results
 * @param isRecorded whether to record these
 */
record Observation(
        RemoteLongSet set, Latencies<OperationKind> latencies, boolean isTimed, RunLog log, boolean isRecorded) {
    boolean execute(OperationKind kind, long key, ComputeThread ct) {
        if (!isTimed && !isRecorded) {
            return apply(kind, key, ct);
        }
        long called = ct.nanoTime();
        log.call(code(kind), key, called);
        boolean answer = apply(kind, key, ct);
        long returned = ct.nanoTime();
        log.returned(SetCodes.outcome(answer), key, returned);
        if (isTimed) {
            latencies.record(kind, returned - called, returned);
        }
        return answer;
    }

    private boolean apply(OperationKind kind, long key, ComputeThread ct) {
        return switch (kind) {
            case GET -> set.contains(key, ct);
            case INSERT -> set.insert(key, ct);
            case REMOVE -> set.remove(key, ct);
        };
    }

    private static int code(OperationKind kind) {
        return switch (kind) {
            case GET -> SetCodes.CONTAINS;
            case INSERT -> SetCodes.INSERT;
            case REMOVE -> SetCodes.REMOVE;
        };
    }
}
