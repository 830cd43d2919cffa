// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import dev.remus.cli.cluster.ExitStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A program that runs in a thread of this JVM, with its output, its status and its child processes. It is for machines
 * on which a JVM starts slowly.
 */
final class RunHere implements AutoCloseable {
    /** A program that prints to two given streams, such as {@link dev.remus.launcher.Main#run}. */
    interface Body {
        /** Runs the program; returns an {@link ExitStatus}. */
        int run(PrintStream out, PrintStream err);
    }

    private static final long POLL_MILLIS = 20;
    private static final long CLOSE_SECONDS = 60;

    private final Duration timeout;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final FutureTask<Integer> status;

    /** @param timeout the limit of each wait */
    RunHere(Duration timeout, Body body) {
        this.timeout = timeout;
        Callable<Integer> run = () -> body.run(stream(out), stream(err));
        status = new FutureTask<>(run);
        Thread thread = new Thread(status, "program-of-test");
        thread.setDaemon(true);
        thread.start();
    }

    private static PrintStream stream(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    /** Waits until its output contains a text. */
    void awaitOut(String text) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!out().contains(text)) {
            if (System.nanoTime() - deadline > 0 || status.isDone()) {
                throw new AssertionError("no sign of '" + text + "'; " + this);
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** Waits for its end; returns its exit status. */
    int await() throws InterruptedException, ExecutionException {
        try {
            return status.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("it does not end; " + this, e);
        }
    }

    /** The process of one of its nodes. */
    ProcessHandle node(int id) throws IOException {
        return Started.node(ProcessHandle.current(), id);
    }

    /** Ends the child processes of this JVM, and thereby the program. */
    @Override
    public void close() throws Exception {
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        status.get(CLOSE_SECONDS, TimeUnit.SECONDS);
    }

    /** Its output so far. */
    @Override
    public String toString() {
        return "out:\n" + out() + "\nerr:\n" + err();
    }
}
