// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.shell;

import java.lang.reflect.Method;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import jdk.jshell.execution.DirectExecutionControl;
import org.jspecify.annotations.Nullable;

/** Runs all snippets of a shell in one thread, which so may own Compute Thread 0. Ctrl-C interrupts it. */
final class OwnerThread extends DirectExecutionControl {
    private static final int MAX_CLOSE_SECONDS = 10;

    private final ExecutorService executor = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "remus-shell-0");
        thread.setDaemon(true);
        return thread;
    });

    private volatile @Nullable Future<String> running;

    @Override
    protected String invoke(Method snippet) throws Exception {
        Future<String> task = executor.submit(() -> super.invoke(snippet));
        running = task;
        try {
            return task.get();
        } catch (CancellationException e) {
            throw new StoppedException();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            running = null;
        }
    }

    @Override
    public void stop() {
        Future<String> task = running;
        if (task != null) {
            task.cancel(true);
        }
    }

    /** Closes Compute Thread 0 before the cluster is closed. A line that does not end keeps it from that. */
    @Override
    public void close() {
        stop();
        executor.execute(LiveCluster::closeThread);
        executor.shutdown();
        try {
            executor.awaitTermination(MAX_CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
