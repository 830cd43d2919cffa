// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.scenario.BarrierScenario.Barrier;

/** A flawed control barrier in an ordinary word: the generation is in the upper half, the count in the lower. */
record FlawedBarrier(RdmaPtr<?> shared, Flaw flaw) implements Barrier {
    private static final long ONE_GENERATION = 1L << 32;
    private static final long COUNT = ONE_GENERATION - 1;

    /** The mistakes. */
    enum Flaw {
        /** None: the last to arrive adds the difference. */
        NONE,
        /** The last to arrive WRITEs the new value, while others read the word by FETCH_AND_ADD of 0. */
        RESET_BY_WRITE,
        /** There is no generation: waiters wait for a count of 0. */
        WITHOUT_GENERATION,
        /** A thread that arrives does not place its posted WRITEs. */
        NOT_PLACED
    }

    @Override
    public void await(ComputeThread ct) {
        long word = shared.raw();
        if (flaw != Flaw.NOT_PLACED) {
            ct.place();
        }
        long before = ct.fetchAndAdd(word, 1);
        if ((before & COUNT) == ct.threads() - 1) {
            long after = flaw == Flaw.WITHOUT_GENERATION ? 0 : (before & ~COUNT) + ONE_GENERATION;
            if (flaw == Flaw.RESET_BY_WRITE) {
                ct.write(word, after);
            } else {
                ct.fetchAndAdd(word, after - before - 1);
            }
        } else {
            while (!hasOpened(look(word, ct), before)) {
                ct.pause();
            }
        }
    }

    private long look(long word, ComputeThread ct) {
        return flaw == Flaw.RESET_BY_WRITE ? ct.fetchAndAdd(word, 0) : ct.read(word);
    }

    private boolean hasOpened(long now, long before) {
        return flaw == Flaw.WITHOUT_GENERATION ? now == 0 : now / ONE_GENERATION != before / ONE_GENERATION;
    }
}
