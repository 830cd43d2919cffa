// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLongArray;
import dev.remus.structures.spec.CounterScenario;

/** A flawed striped counter, whose mistakes the simulator must find. */
final class FlawedCounter implements CounterScenario.Counter {
    /** The mistakes. */
    enum Flaw {
        /** None. */
        NONE,
        /** An addition returns before it has been made. */
        ADD_ONLY_POSTS,
        /** An addition is made again if its lane breaks, although it may have been made. */
        ADD_AGAIN_AFTER_BREAK,
        /** An addition is a COMPARE_AND_SWAP that is not tried again if another thread was faster. */
        ADD_LOST_TO_ANOTHER,
        /** A sum leaves out a stripe to which no thread has added when this thread looked last. */
        SUM_SKIPS_EMPTY_STRIPES,
        /** A sum READs its own stripe only once. */
        SUM_REMEMBERS_OWN_STRIPE,
        /** A sum leaves out the last stripe. */
        SUM_WITHOUT_LAST_STRIPE
    }

    private final Flaw flaw;
    private final long[] stripes;
    private final long[] seen;
    private final int own;
    private int sums;

    FlawedCounter(RdmaPtr<RemoteCounter> This, Flaw flaw, ComputeThread ct) {
        this.flaw = flaw;
        RemoteLongArray pointers = RemoteLongArray.open(new RdmaPtr<>(This.raw()), ct);
        stripes = new long[pointers.length()];
        seen = new long[stripes.length];
        for (int i = 0; i < stripes.length; i++) {
            stripes[i] = pointers.load(i, ct);
        }
        own = ct.id() % stripes.length;
    }

    @Override
    public void add(long number, ComputeThread ct) {
        switch (flaw) {
            case ADD_ONLY_POSTS -> ct.postFetchAndAdd(stripes[own], number);
            case ADD_AGAIN_AFTER_BREAK -> addAgain(number, ct);
            case ADD_LOST_TO_ANOTHER -> {
                long old = ct.read(stripes[own]);
                ct.compareAndSwap(stripes[own], old, old + number);
            }
            default -> ct.fetchAndAdd(stripes[own], number);
        }
    }

    private void addAgain(long number, ComputeThread ct) {
        while (true) {
            try {
                ct.fetchAndAdd(stripes[own], number);
                return;
            } catch (OutcomeUnknownException e) {
                ct.pause();
            }
        }
    }

    @Override
    public void post(long number, ComputeThread ct) {
        ct.postFetchAndAdd(stripes[own], number);
    }

    @Override
    public long sum(ComputeThread ct) {
        int end = flaw == Flaw.SUM_WITHOUT_LAST_STRIPE ? stripes.length - 1 : stripes.length;
        long sum = 0;
        for (int i = 0; i < end; i++) {
            boolean isSkipped = sums > 0
                    && (flaw == Flaw.SUM_SKIPS_EMPTY_STRIPES && seen[i] == 0
                            || flaw == Flaw.SUM_REMEMBERS_OWN_STRIPE && i == own);
            seen[i] = isSkipped ? seen[i] : ct.read(stripes[i]);
            sum += seen[i];
        }
        sums++;
        return sum;
    }
}
