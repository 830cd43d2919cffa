package dev.remus.cli.cluster;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Stops running work when this process is asked to end (Ctrl-C, SIGTERM), and gives it a few seconds to clean up.
 */
public final class EndOfProcess implements AutoCloseable {
    private static final long SECONDS = 5;

    private final CountDownLatch cleanedUp = new CountDownLatch(1);
    private final Runnable stop;
    private final Thread hook = new Thread(this::end, "end-of-process");
    private volatile boolean begun;

    /**
     * From now on.
     *
     * @param stop makes the thread that will call {@link #close} do so soon
     */
    public EndOfProcess(Runnable stop) {
        this.stop = stop;
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException e) {
            begun = true; // too late: nothing should be started any more
        }
    }

    private void end() {
        begun = true;
        stop.run();
        try {
            if (!cleanedUp.await(SECONDS, TimeUnit.SECONDS)) {
                System.err.println("remus: could not clean up within " + SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the process is about to end. What fails from then on is no news. */
    public boolean hasBegun() {
        return begun;
    }

    /** Everything has been cleaned up. */
    @Override
    public void close() {
        cleanedUp.countDown();
        if (!begun) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // it is running right now, and has nothing to wait for any more
            }
        }
    }
}
