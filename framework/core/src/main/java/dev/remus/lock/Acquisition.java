// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

/** The result of an attempt to acquire a lock. */
public enum Acquisition {
    /** The time was over before the turn came: this thread does not hold the lock. */
    TIMED_OUT,
    /** This thread holds the lock, and the data is as the last holder left it. */
    NORMAL,
    /**
     * This thread holds the lock, and an earlier holder was lost with its node before it released it: the data may be
     * half changed. It is to be repaired, and then declared consistent ({@link RemoteLock#makeConsistent}).
     */
    HOLDER_DIED;

    /** Whether this thread holds the lock. */
    public boolean isHeld() {
        return this != TIMED_OUT;
    }
}
