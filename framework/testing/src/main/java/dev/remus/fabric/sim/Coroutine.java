package dev.remus.fabric.sim;

/**
 * What a simulated thread runs in. One at a time goes on, until it lets another one go on and suspends itself, or ends.
 */
abstract class Coroutine {
    /** Makes this coroutine the next to go on. The caller suspends itself or ends right after. */
    abstract void resume();

    /** Called from inside: waits until it is resumed. */
    abstract void suspend();

    /** Where it is suspended. */
    abstract StackTraceElement[] stackTrace();
}
