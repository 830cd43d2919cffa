// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service;

import dev.remus.cli.cluster.ExitStatus;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns Ctrl-C and SIGTERM into an interrupt of the thread that runs the work. The process then ends with the status of
 * the work: 0 for a service that has stopped in good order, where Java would use that of the signal.
 */
public final class StopSignal implements AutoCloseable {
    private final Thread runner = Thread.currentThread();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Duration limit;
    private final Thread hook = new Thread(this::stop, "stop");
    private volatile boolean asked;
    private volatile int status = ExitStatus.FAILED;

    /**
     * To be called by the thread that runs the work.
     *
     * @param limit how long the work may take to end
     */
    public StopSignal(Duration limit) {
        this.limit = limit;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void stop() {
        asked = true;
        runner.interrupt();
        try {
            if (!ended.await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                System.err.println("remus: could not stop within " + limit.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        System.out.flush();
        System.err.flush();
        Runtime.getRuntime().halt(status); // no hook of Remus has work to do: all nodes of this process are closed
    }

    /** Whether this process was asked to end. */
    public boolean isAsked() {
        return asked;
    }

    /** Sets the status with which a process ends that was asked to. */
    public int endWith(int exitStatus) {
        status = exitStatus;
        return exitStatus;
    }

    /** The work has ended. */
    @Override
    public void close() {
        Thread.interrupted(); // it has done its duty
        ended.countDown();
        if (!asked) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // the hook is running, and now ends the process
            }
        }
    }
}
