// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.node.CompletionBarrier;
import dev.remus.node.CompletionGrade;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.scenario.AsyncScenario.Waiting;

/** Flawed waits for all operations up to an id. */
enum FlawedWaiting implements Waiting {
    /** None. */
    NONE {
        @Override
        public long await(CompletionBarrier barrier, long id, CompletionGrade grade, ComputeThread ct) {
            return barrier.await(id, grade);
        }
    },
    /** An acknowledged WRITE counts as placed. */
    LOCAL_FOR_REMOTE {
        @Override
        public long await(CompletionBarrier barrier, long id, CompletionGrade grade, ComputeThread ct) {
            return barrier.await(id, CompletionGrade.LOCAL);
        }
    },
    /** A wait that has timed out counts as complete. */
    NOT_YET_FOR_COMPLETE {
        @Override
        public long await(CompletionBarrier barrier, long id, CompletionGrade grade, ComputeThread ct) {
            return barrier.tryAwait(id, grade, 500);
        }
    },
    /** Any completion counts as that of the last operation. */
    ANY_FOR_ALL {
        @Override
        public long await(CompletionBarrier barrier, long id, CompletionGrade grade, ComputeThread ct) {
            if (barrier.completed(grade) < id) {
                ct.async().awaitAny();
            }
            return id;
        }
    },
    /** A thread that is not woken finds the completion at its next poll. */
    LATE {
        @Override
        public long await(CompletionBarrier barrier, long id, CompletionGrade grade, ComputeThread ct) {
            long completed = barrier.tryAwait(id, grade, 0);
            long began = ct.nanoTime();
            while (completed < id || ct.nanoTime() - began < 200_000_000) {
                ct.pause();
                completed = barrier.tryAwait(id, grade, 0);
            }
            return completed;
        }
    }
}
