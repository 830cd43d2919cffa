// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

/** Chooses the kind of coroutines that switches fastest in this Java VM. */
final class FastestCoroutines {
    private FastestCoroutines() {}

    /**
     * Uses continuations if the Java VM has and exports them ({@code --add-exports
     * java.base/jdk.internal.vm=ALL-UNNAMED}), otherwise virtual threads if it has those, otherwise threads.
     */
    static Coroutines create() {
        return ContinuationCoroutines.AVAILABLE ? new ContinuationCoroutines() : new ThreadCoroutines();
    }
}
