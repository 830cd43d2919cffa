package dev.remus.fabric.sim;

/** Chooses the kind of coroutines that switches fastest in this Java VM. */
final class FastestCoroutines {
    private FastestCoroutines() {}

    /**
     * Continuations of the Java VM where it has them and lets this software use them ({@code --add-exports
     * java.base/jdk.internal.vm=ALL-UNNAMED}), otherwise virtual threads where it has those, otherwise threads.
     */
    static Coroutines create() {
        return ContinuationCoroutines.AVAILABLE ? new ContinuationCoroutines() : new ThreadCoroutines();
    }
}
