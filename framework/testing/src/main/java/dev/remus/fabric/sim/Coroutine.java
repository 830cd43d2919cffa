// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

/** The carrier of a simulated thread. One at a time runs, until it resumes another and suspends itself, or ends. */
abstract class Coroutine {
    /** Makes this coroutine the next to run. The caller suspends itself or ends right afterwards. */
    abstract void resume();

    /** Waits until it is resumed. Called by the coroutine itself. */
    abstract void suspend();

    /** Returns where it is suspended. */
    abstract StackTraceElement[] stackTrace();
}
