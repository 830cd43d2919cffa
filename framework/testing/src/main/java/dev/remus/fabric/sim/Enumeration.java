// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

/**
 * A scheduler that enumerates schedules. For it, what is a matter of time in other runs becomes a choice: a thread that
 * pauses or sleeps is a candidate at once, and the clock jumps to the end of its pause when it is picked. Threads start
 * {@linkplain Simulator#startTogether together}, and a candidate's step always changes something, except that of a
 * {@linkplain Agent#isBlocked blocked} one.
 */
interface Enumeration extends Scheduler {
    /** Called when the agent that goes on changes what another can do: posts a request, or completes one. */
    default void affected(Agent other) {}

    /** Called when the agent that goes on begins an atomic on a word, which keeps other atomics from it. */
    default void locks(long word) {}

    /** Called when it ends that atomic. */
    default void unlocks(long word) {}

    /** Called when exposed threads share no Java objects, but report calls and returns. */
    default void sharesOnlyRecords() {}

    /** Called when the thread that goes on records the call of an operation. */
    default void called() {}

    /** Called when it records a return. */
    default void returned() {}

    /** Called when schedules are left out. */
    void leavesOut(Bound bound);
}
