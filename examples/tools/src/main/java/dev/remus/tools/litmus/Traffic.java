// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.litmus;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Completions;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Lane;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Keeps a number of requests outstanding on a lane, each in a slot. */
final class Traffic {
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Lane lane;
    private final int slots;

    Traffic(Lane lane, int slots) {
        this.lane = lane;
        this.slots = slots;
    }

    /** The requests to post, and the handler of their completions. */
    interface Work {
        /** Appends the requests of a slot; the last one is signalled afterwards. */
        void append(Chain chain, int slot);

        /** Handles the completion of a slot's requests. */
        default void completed(int slot) {}
    }

    /**
     * Posts until {@code enough} holds, then waits for the outstanding requests.
     *
     * @throws FabricException if a request fails, or nothing completes for 30 s
     */
    void run(Work work, BooleanSupplier enough) {
        Completions batch = new Completions(slots);
        Chain chain = new Chain(lane.depth());
        int outstanding = 0;
        for (; outstanding < slots; outstanding++) {
            post(work, chain, outstanding);
        }
        long movedAt = System.nanoTime();
        while (outstanding > 0) {
            int n = lane.poll(batch);
            for (int i = 0; i < n; i++) {
                check(batch.status(i));
                int slot = (int) batch.id(i);
                work.completed(slot);
                if (enough.getAsBoolean()) {
                    outstanding--;
                } else {
                    post(work, chain, slot);
                }
            }
            if (n > 0) {
                movedAt = System.nanoTime();
            } else if (System.nanoTime() - movedAt > TIMEOUT_NANOS) {
                throw new FabricException(lane + ": nothing has completed for 30 s");
            } else {
                Thread.yield(); // the other traffic may share this processor
            }
        }
    }

    private void post(Work work, Chain chain, int slot) {
        work.append(chain.clear(), slot);
        lane.post(chain.signalled(slot));
    }

    private void check(CompletionStatus status) {
        if (status != CompletionStatus.SUCCESS) {
            throw new FabricException(lane + ": a request ended with " + status);
        }
    }
}
