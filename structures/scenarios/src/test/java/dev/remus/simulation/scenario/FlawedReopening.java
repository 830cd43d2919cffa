// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.scenario.ReopenScenario.Barrier;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A flawed barrier whose threads leave and come back, in ordinary words: the generation, and the word of each thread,
 * as the framework's own barrier has them.
 */
final class FlawedReopening implements Barrier {
    private static final long CLOSED = Long.MIN_VALUE;
    private static final int FIRST = 31;
    private static final long ARRIVALS = (1L << FIRST) - 1;

    /** The mistakes. */
    enum Flaw {
        /** None. */
        NONE,
        /** A thread that comes back declares the barrier under way its first one. */
        DECLARES_THE_PRESENT_ONE,
        /** It does not look whether the barrier under way has ended before it had declared the next one. */
        DOES_NOT_LOOK_AGAIN,
        /** It does not wait until its declaration is placed. */
        DECLARES_UNPLACED,
        /** It does not take back that it is closed. */
        STAYS_CLOSED,
        /** Its word does not show any more where it had arrived before. */
        FORGETS_ITS_ARRIVALS,
        /** Its word does not show where it had arrived, from the moment at which it leaves. */
        LEAVES_WITHOUT_ARRIVALS,
        /** Once it has arrived again, it passes for present at the barriers that it had missed. */
        COUNTS_WHAT_IT_MISSED
    }

    private final long generation;
    private final Flaw flaw;
    private @Nullable LocalBuffer local;
    private long first;
    private long arrivals;
    private long passed;
    private boolean onlyWaits;

    FlawedReopening(RdmaPtr<?> shared, Flaw flaw) {
        this.generation = shared.raw();
        this.flaw = flaw;
    }

    private void show(long word, ComputeThread ct) {
        while (true) {
            try {
                ct.write(generation + (1L + ct.id()) * Long.BYTES, word);
                return;
            } catch (OutcomeUnknownException e) {
                ct.pause(); // a lane broke
            }
        }
    }

    private long own() {
        return first << FIRST | arrivals;
    }

    @Override
    public void await(ComputeThread ct) {
        ct.place();
        if (!onlyWaits) {
            arrivals = passed + 1;
            show(own(), ct);
        }
        while (readAll(ct) <= passed && (isAnyAwaited() || !end(ct))) {
            ct.pause();
        }
        readAll(ct);
        while (isAnyAwaited()) {
            ct.pause();
            readAll(ct);
        }
        passed++;
        onlyWaits = false;
    }

    private long readAll(ComputeThread ct) {
        LocalBuffer kept = local;
        if (kept == null) {
            kept = ct.allocateLocal((1L + ct.threads()) * Long.BYTES);
            local = kept;
        }
        ct.read(generation, kept);
        return kept.getLong(0);
    }

    private long seen(int thread) {
        return Objects.requireNonNull(local).getLong((1L + thread) * Long.BYTES);
    }

    private static long first(long word) {
        return (word & ~CLOSED) >>> FIRST;
    }

    private boolean hasArrived(int thread, long atGeneration) {
        long word = seen(thread);
        boolean isBack = (word & ARRIVALS) < first(word);
        boolean isMember = isBack || first(word) <= atGeneration || flaw == Flaw.COUNTS_WHAT_IT_MISSED;
        return (word & ARRIVALS) > atGeneration && isMember;
    }

    private boolean isAnyAwaited() {
        for (int thread = 0; thread < Objects.requireNonNull(local).bytes() / Long.BYTES - 1; thread++) {
            boolean isOpen = (seen(thread) & CLOSED) == 0 && first(seen(thread)) <= passed;
            if (isOpen && !hasArrived(thread, passed)) {
                return true;
            }
        }
        return false;
    }

    private boolean end(ComputeThread ct) {
        ct.compareAndSwap(generation, passed, passed + 1);
        return true;
    }

    @Override
    public boolean tookPart(int thread, ComputeThread ct) {
        return passed == 0 || hasArrived(thread, passed - 1);
    }

    @Override
    public long meetings(ComputeThread ct) {
        return passed;
    }

    @Override
    public void leave(ComputeThread ct) {
        if (flaw == Flaw.LEAVES_WITHOUT_ARRIVALS) {
            arrivals = 0;
        }
        show(own() | CLOSED, ct);
    }

    @Override
    public void join(ComputeThread ct) {
        long present = ct.read(generation);
        do {
            passed = present;
            declare(flaw == Flaw.DECLARES_THE_PRESENT_ONE ? passed : passed + 1, ct);
            readAll(ct);
            present = ct.read(generation);
        } while (present != passed && flaw != Flaw.DOES_NOT_LOOK_AGAIN);
        onlyWaits = true;
    }

    private void declare(long firstGeneration, ComputeThread ct) {
        first = firstGeneration;
        if (flaw == Flaw.FORGETS_ITS_ARRIVALS) {
            arrivals = 0;
        }
        if (flaw == Flaw.DECLARES_UNPLACED) {
            ct.post(generation + (1L + ct.id()) * Long.BYTES, own());
        } else {
            show(flaw == Flaw.STAYS_CLOSED ? own() | CLOSED : own(), ct);
        }
    }
}
