// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.cluster;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Stops running work when this process is asked to end (Ctrl-C, SIGTERM), and gives it 10 s to clean up. */
public final class GracefulShutdown implements AutoCloseable {
    private static final long SECONDS = 10;

    private final CountDownLatch cleanedUp = new CountDownLatch(1);
    private final Runnable stop;
    private final Thread hook = new Thread(this::end, "graceful-shutdown");
    private volatile boolean begun;

    /**
     * Registers the work.
     *
     * @param stop makes the thread that runs the work call {@link #close} soon
     */
    public GracefulShutdown(Runnable stop) {
        this.stop = stop;
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException e) {
            begun = true; // too late: nothing may be started now
        }
    }

    /**
     * To be called before {@link System#exit}: never returns if the process is ending already, so that the signal which
     * ends it decides the status. In Java 17, an exit with another status could overtake it at the last moment.
     */
    public static void leaveStatusToSignal() {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {}));
        } catch (IllegalStateException e) {
            while (true) {
                LockSupport.park();
            }
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

    /** Whether the process is ending. Later failures need no report. */
    public boolean hasBegun() {
        return begun;
    }

    /** Declares that the work has cleaned up. */
    @Override
    public void close() {
        cleanedUp.countDown();
        if (!begun) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // the hook is running, and now ends
            }
        }
    }
}
