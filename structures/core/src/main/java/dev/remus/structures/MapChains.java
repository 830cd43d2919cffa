// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.node.ComputeThread;
import dev.remus.node.RemoteFuture;
import dev.remus.node.Sequence;
import org.jspecify.annotations.Nullable;

/**
 * Chains that are in flight together, to one Memory Node or several: one round trip for as many as {@code
 * --cn-ops-per-thread} allows.
 */
final class MapChains {
    private final RemoteFuture[] futures;
    private int posted;

    MapChains(ComputeThread ct) {
        futures = new RemoteFuture[ct.config().opsPerThread()];
    }

    /** Posts a chain, which has at least one operation. Waits for earlier ones first if no more may be in flight. */
    void post(Sequence chain) {
        if (posted == futures.length) {
            await();
        }
        futures[posted++] = chain.executeAsync();
    }

    /** Returns when all have been executed and their WRITEs are placed. Throws the first failure, after all ended. */
    void await() {
        RuntimeException failure = null;
        for (int i = 0; i < posted; i++) {
            failure = awaited(futures[i], failure);
        }
        posted = 0;
        if (failure != null) {
            throw failure;
        }
    }

    /** Each future has to be awaited, also after a failure: otherwise it would count as outstanding for ever. */
    static @Nullable RuntimeException awaited(RemoteFuture future, @Nullable RuntimeException failure) {
        try {
            future.await();
            return failure;
        } catch (RuntimeException e) {
            return failure == null ? e : failure;
        }
    }
}
