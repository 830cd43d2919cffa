// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import dev.remus.config.ThreadKind;

/**
 * Time, waiting, random seeds and threads of the nodes on a fabric: those of the machine, or simulated ones. The
 * framework has no other source of them, so a simulator controls all of them.
 */
public interface Environment {
    /** Nanoseconds since a fixed moment. */
    long nanoTime();

    /**
     * Milliseconds since 1970 by the clock of this machine, for messages: another machine's clock may differ. Lets no
     * other thread of a simulation go on.
     */
    default long wallClockMillis() {
        return System.currentTimeMillis();
    }

    /** The pauses of a polling loop. They belong to the thread that makes the loop. */
    Pauses newPauses();

    /** Waits for this time, or until {@link Task#wake} or an interrupt. */
    void sleep(long nanos);

    /** A seed for random numbers. */
    long newSeed();

    /**
     * Starts a thread.
     *
     * @param daemon whether the process may end while the thread runs
     */
    Task start(String name, boolean daemon, Runnable body);

    /**
     * Starts a virtual thread, if the threads of this environment are those of the machine. The process may end while
     * it runs.
     *
     * @param carriers how many processors the virtual threads of this process use at once, 0 for all; the same at every
     *     call, since the first virtual thread of a process fixes it
     * @throws FabricException if the process has fixed another number before
     */
    default Task startVirtual(String name, int carriers, Runnable body) {
        return start(name, false, body);
    }

    /** Whether Compute Threads of a kind take turns on a processor: before one polls, others run, and may post too. */
    default boolean takesTurns(ThreadKind kind) {
        return kind == ThreadKind.VIRTUAL;
    }

    /** The calling thread. */
    Task self();

    /** The pauses of a polling loop: the longer it has waited, the longer they are. */
    @FunctionalInterface
    interface Pauses {
        /**
         * Lets others use the processor before the first poll for an operation that was just posted, if the thread
         * shares a processor with threads that have work. Otherwise returns at once.
         */
        default void beforeFirstPoll() {}

        /**
         * To be called with each operation that ends without a wait. If the thread shares a processor with threads that
         * have work, and has kept it for some milliseconds, they get it for a moment: a loop of such operations would
         * keep it for ever. Otherwise returns at once.
         */
        default void yieldIfDue() {}

        /**
         * Pauses like {@link #pause} if that is so short that the thread may hold a lock meanwhile: it only spins.
         *
         * @param attempt as there
         * @return false if the pause would be longer; then there was none
         */
        default boolean spin(int attempt) {
            return false;
        }

        /**
         * Pauses.
         *
         * @param attempt how many polls have failed before in this wait: 0 begins a wait
         * @param nanos the limit of the pause; {@link Long#MAX_VALUE} for none
         */
        void pause(int attempt, long nanos);
    }

    /** A thread: one that {@link #start} has started, or {@link #self}. */
    interface Task {
        /** Whether the thread has not ended yet. */
        boolean isAlive();

        /**
         * Waits until the thread has ended.
         *
         * @throws InterruptedException if the calling thread is interrupted
         */
        void join() throws InterruptedException;

        /** Ends the thread's {@link Environment#sleep}, or its next one if it does not sleep now. */
        void wake();

        /** Interrupts the thread. */
        void interrupt();

        /** Whether the thread was interrupted. */
        boolean isInterrupted();
    }
}
