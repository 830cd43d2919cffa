package dev.remus.fabric;

/**
 * Time, waiting, chance and threads, as nodes on a fabric have them: those of the machine, or simulated ones. The
 * framework takes them from nowhere else, so that a simulator can decide all of them.
 */
public interface Environment {
    /** Nanoseconds since some fixed moment. */
    long nanoTime();

    /**
     * Waits a little in a loop that looks for something: longer the more often it has looked in vain.
     *
     * @param attempt how often it has, from 0
     */
    default void pause(int attempt) {
        pause(attempt, Long.MAX_VALUE);
    }

    /**
     * The same, for a wait with a limit.
     *
     * @param nanos the pause should be no longer than this
     */
    void pause(int attempt, long nanos);

    /** Waits so long, or until {@link Task#wake} or an interrupt. */
    void sleep(long nanos);

    /** Where random numbers start. */
    long newSeed();

    /**
     * Starts a thread.
     *
     * @param daemon whether the process may end while it runs
     */
    Task start(String name, boolean daemon, Runnable body);

    /** The calling thread. */
    Task self();

    /** A thread: one that {@link #start} has started, or {@link #self}. */
    interface Task {
        /** Whether it has not ended yet. */
        boolean isAlive();

        /**
         * Waits until it has ended.
         *
         * @throws InterruptedException if the calling thread is interrupted meanwhile
         */
        void join() throws InterruptedException;

        /** Ends a {@link Environment#sleep}, the next one if it does not sleep now. */
        void wake();

        /** Interrupts it. */
        void interrupt();

        /** Whether it was interrupted. */
        boolean isInterrupted();
    }
}
