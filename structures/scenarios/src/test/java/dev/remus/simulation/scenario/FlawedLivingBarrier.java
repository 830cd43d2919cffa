// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.scenario.BarrierLossScenario.Barrier;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A flawed barrier that does without lost threads, in ordinary words: the generation, and the word of each thread. */
final class FlawedLivingBarrier implements Barrier {
    private static final long CLOSED = Long.MIN_VALUE;

    /** The mistakes. */
    enum Flaw {
        /** None. */
        NONE,
        /** A thread that is missing is skipped once a node is lost, which may not be its own, or not cut off. */
        SKIPS_TOO_EARLY,
        /** The participants are those that were seen on arrival. */
        READS_PARTICIPANTS_TOO_EARLY,
        /** A thread leaves when the generation is over, even if its node does not know of a loss. */
        LEAVES_TOO_EARLY,
        /** The table is read on arrival only. */
        NEVER_LOOKS_AGAIN,
        /** A thread that closes does not show it. */
        CLOSES_SILENTLY,
        /** A thread that closes loses the number of its arrivals. */
        CLOSES_WITHOUT_ARRIVALS,
        /** A thread that arrives does not place its posted WRITEs. */
        NOT_PLACED,
        /** The arrival is not placed before the table is read, and only on arrival is the table read. */
        ARRIVES_UNPLACED
    }

    private final long generation;
    private final Flaw flaw;
    private @Nullable LocalBuffer local;
    private long passed;

    FlawedLivingBarrier(RdmaPtr<?> shared, Flaw flaw) {
        this.generation = shared.raw();
        this.flaw = flaw;
    }

    private long word(int thread) {
        return generation + (1L + thread) * Long.BYTES;
    }

    @Override
    public void await(ComputeThread ct) {
        if (flaw != Flaw.NOT_PLACED) {
            ct.place();
        }
        if (flaw == Flaw.ARRIVES_UNPLACED) {
            ct.post(word(ct.id()), passed + 1);
        } else {
            ct.write(word(ct.id()), passed + 1);
        }
        for (int polls = 0; !isOver(polls, ct); polls++) {
            ct.pause();
        }
        if (flaw != Flaw.READS_PARTICIPANTS_TOO_EARLY) {
            readAll(ct);
            while (flaw != Flaw.LEAVES_TOO_EARLY && isAnyAwaited(ct)) {
                ct.pause();
            }
        }
        passed++;
    }

    private boolean isOver(int polls, ComputeThread ct) {
        boolean looksOnce = flaw == Flaw.NEVER_LOOKS_AGAIN
                || flaw == Flaw.ARRIVES_UNPLACED
                || flaw == Flaw.READS_PARTICIPANTS_TOO_EARLY && !ct.peers().isAnyNodeLost();
        if (looksOnce && polls > 0) {
            return ct.read(generation) > passed;
        }
        return readAll(ct) > passed || !isAnyAwaited(ct) && end(ct);
    }

    /** In one round trip, so that pauses between polls grow. */
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

    private boolean isAnyAwaited(ComputeThread ct) {
        for (int thread = 0; thread < ct.threads(); thread++) {
            boolean isThere = (seen(thread) & ~CLOSED) > passed || (seen(thread) & CLOSED) != 0;
            boolean isLost = flaw == Flaw.SKIPS_TOO_EARLY
                    ? ct.peers().isAnyNodeLost()
                    : ct.peers().isLost(thread);
            if (!isThere && !isLost) {
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
        return (seen(thread) & ~CLOSED) >= passed;
    }

    @Override
    public void leave(ComputeThread ct) {
        if (flaw != Flaw.CLOSES_SILENTLY) {
            ct.write(word(ct.id()), CLOSED | (flaw == Flaw.CLOSES_WITHOUT_ARRIVALS ? 0 : passed));
        }
    }
}
