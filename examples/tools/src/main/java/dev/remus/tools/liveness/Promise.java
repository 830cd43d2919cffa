// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.liveness;

/** The progress that a structure's class comment promises for a method, as defined by M. Herlihy and N. Shavit. */
enum Promise {
    /** Every call ends after a bounded number of the caller's own steps, regardless of other threads. */
    WAIT_FREE("wait-free"),
    /**
     * Some thread always makes progress, even when others crash; so a call ends when all other threads have stopped.
     */
    LOCK_FREE("lock-free"),
    /** A call ends when all other threads have stopped, wherever they are; but calls may make each other start over. */
    OBSTRUCTION_FREE("obstruction-free"),
    /** A call may wait for another thread, forever if that thread has stopped. */
    BLOCKING("blocking");

    private final String text;

    Promise(String text) {
        this.text = text;
    }

    /** Whether every call ends when other threads have stopped. */
    boolean isNonblocking() {
        return this != BLOCKING;
    }

    @Override
    public String toString() {
        return text;
    }
}
