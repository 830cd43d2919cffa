package dev.remus.fabric;

/**
 * Time, waiting, random seeds and threads of the nodes on a fabric: those of the machine, or simulated ones. The
 * framework has no other source of them, so a simulator controls all of them.
 */
public interface Environment {
    /** Nanoseconds since a fixed moment. */
    long nanoTime();

    /**
     * Pauses in a polling loop. The more polls have failed, the longer is the pause.
     *
     * @param attempt how many polls have failed before, from 0
     */
    default void pause(int attempt) {
        pause(attempt, Long.MAX_VALUE);
    }

    /**
     * Pauses like {@link #pause(int)}, but not for longer than a limit.
     *
     * @param nanos the limit
     */
    void pause(int attempt, long nanos);

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

    /** The calling thread. */
    Task self();

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
