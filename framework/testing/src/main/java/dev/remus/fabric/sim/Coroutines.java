package dev.remus.fabric.sim;

/** A kind of coroutines. Each simulation has its own. */
abstract class Coroutines {
    /** One that has not begun. */
    abstract Coroutine create(Runnable body);

    /** Lets one go on, and others as they resume each other, until one calls {@link #stop}. */
    abstract void run(Coroutine first) throws InterruptedException;

    /** Called from inside, by the one that goes on: lets {@link #run} return, once it has suspended itself or ended. */
    abstract void stop();

    /** After {@link #run}: lets one go on until it ends, which it must do without waiting for others. */
    abstract void finish(Coroutine coroutine);

    /** What kind it is, for people. */
    @Override
    public abstract String toString();
}
