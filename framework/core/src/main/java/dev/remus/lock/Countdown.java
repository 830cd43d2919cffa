// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

/** The result of a wait for a {@link RemoteLatch}. */
public enum Countdown {
    /** The time was over before the latch was open. */
    TIMED_OUT,
    /** All threads have counted down as often as they should. */
    COMPLETE,
    /**
     * The latch is open, but some thread was lost with its node, and cut off, before it had counted down as often as it
     * should. {@link RemoteLatch#owed} shows which.
     */
    WITHOUT_LOST;

    /** Whether the latch is open. */
    public boolean isOpen() {
        return this != TIMED_OUT;
    }
}
