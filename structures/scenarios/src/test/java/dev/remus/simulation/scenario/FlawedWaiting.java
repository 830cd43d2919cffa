package dev.remus.simulation.scenario;

import dev.remus.node.CompletionBarrier;
import dev.remus.node.CompletionGrade;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.scenario.AsyncScenario.Waiting;

/** A wait for all operations up to an id, with a mistake. */
enum FlawedWaiting implements Waiting {
    /** None. */
    NONE {
        @Override
        public long await(CompletionBarrier barrier, long id, CompletionGrade grade, ComputeThread ct) {
            return barrier.await(id, grade);
        }
    },
    /** A WRITE that was acknowledged is taken for one that is placed. */
    LOCAL_FOR_REMOTE {
        @Override
        public long await(CompletionBarrier barrier, long id, CompletionGrade grade, ComputeThread ct) {
            return barrier.await(id, CompletionGrade.LOCAL);
        }
    },
    /** The answer "not yet" is not looked at. */
    NOT_YET_FOR_COMPLETE {
        @Override
        public long await(CompletionBarrier barrier, long id, CompletionGrade grade, ComputeThread ct) {
            return barrier.tryAwait(id, grade, 500);
        }
    },
    /** Any completion is taken for that of the last operation. */
    ANY_FOR_ALL {
        @Override
        public long await(CompletionBarrier barrier, long id, CompletionGrade grade, ComputeThread ct) {
            if (barrier.completed(grade) < id) {
                ct.async().awaitAny();
            }
            return id;
        }
    },
    /** A thread that nobody wakes finds what it waits for when it looks the next time. */
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
