// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

/** A kind of coroutine. Each simulation has an object of its own. */
abstract class Coroutines {
    /** Creates a coroutine that has not begun. */
    abstract Coroutine create(Runnable body);

    /** Runs one, and others as they resume each other, until one calls {@link #stop}. */
    abstract void run(Coroutine first) throws InterruptedException;

    /** Called by the running coroutine: makes {@link #run} return once that coroutine has suspended itself or ended. */
    abstract void stop();

    /** Runs one to its end, after {@link #run}. It must end without waiting for others. */
    abstract void finish(Coroutine coroutine);

    /** The name of the kind, for a reader. */
    @Override
    public abstract String toString();
}
