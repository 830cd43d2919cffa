// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page5;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;

/**
 * Solution of the exercise: a counter with one word for each thread, so that threads do not
 * wait for each other at one word.
 *
 * <p>{@link #add} waits for no other thread, and costs one round trip. {@link #sum} costs
 * one for each thread; it includes all additions that ended before it began, and may or may
 * not include concurrent ones.
 */
public final class StripedCounter {
    private static final int LINE = 64;

    /** The data that all handles share: the address of each thread's word. */
    public static final class Shared extends RemoteRecord {
        private final RemoteLongArray stripes;

        Shared(int threads) {
            stripes = longArrayField(threads);
        }
    }

    /** One thread's word, in a block of its own. */
    private static final class Stripe extends RemoteRecord {
        private final RemoteLong count = longField();
    }

    private final Stripe[] stripes;

    /** Makes a counter in remote memory, 0 at first, with each thread's word near it. */
    public static RdmaPtr<Shared> create(ComputeThread ct) {
        Shared shared = new Shared(ct.threads());
        shared.allocate(ct);
        Stripe stripe = new Stripe();
        for (int i = 0; i < ct.threads(); i++) {
            stripe.at(ct.allocateNear(i, LINE));
            stripe.count.store(0, ct);
            shared.stripes.store(i, stripe.pointer(), ct);
        }
        return new RdmaPtr<>(shared.pointer());
    }

    /** Makes a thread's handle, which keeps the addresses of all words: they never move. */
    public StripedCounter(RdmaPtr<Shared> This, ComputeThread ct) {
        Shared shared = new Shared(ct.threads());
        shared.at(This);
        stripes = new Stripe[ct.threads()];
        for (int i = 0; i < stripes.length; i++) {
            stripes[i] = new Stripe();
            stripes[i].at(shared.stripes.load(i, ct));
        }
    }

    /** Adds to this thread's word. */
    public void add(long delta, ComputeThread ct) {
        stripes[ct.id()].count.fetchAdd(delta, ct);
    }

    /** Adds up the words of all threads. */
    public long sum(ComputeThread ct) {
        long sum = 0;
        for (Stripe stripe : stripes) {
            sum += stripe.count.load(ct);
        }
        return sum;
    }
}
