// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.lockfree;

import dev.remus.tools.plot.RunTable;
import dev.remus.tools.queue.QueueKind;
import dev.remus.tools.reproduce.experiment.PointProgress;
import dev.remus.tools.reproduce.testbed.RunFailedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Makes runs on several threads, and returns their points in the order in which they were added. */
final class PointRuns implements AutoCloseable {
    /** Enough for the processors of a laptop; each run of the simulator has the memory of a cluster. */
    private static final int MAX_AT_ONCE = 4;

    /** More operations than this need so much memory that runs are made one by one. */
    private static final long MAX_OPERATIONS_AT_ONCE = 1_000;

    /** A simulated run does not look whether it is interrupted. */
    private static final long MAX_END_SECONDS = 30;

    private final PointRun run;
    private final PointProgress progress;
    private final ExecutorService threads;
    private final Queue<Future<QueuePoint>> points = new ArrayDeque<>();

    PointRuns(PointRun run, PointProgress progress) {
        this.run = run;
        this.progress = progress;
        this.threads = Executors.newFixedThreadPool(atOnce(run), body -> {
            Thread thread = new Thread(body, "reproduce");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** How many runs do not disturb each other: one where times are measured. */
    private static int atOnce(PointRun run) {
        return run.isModelled() && run.operations() <= MAX_OPERATIONS_AT_ONCE
                ? Math.min(MAX_AT_ONCE, Runtime.getRuntime().availableProcessors())
                : 1;
    }

    /** Adds a run, which begins when a thread is free. */
    void add(QueueKind queue, int processes, long seed, Path folder) {
        points.add(threads.submit(() -> {
            run.run(queue, processes, seed, folder, progress);
            return QueuePoints.read(RunTable.gather(folder), queue);
        }));
    }

    /**
     * Waits for the next run in order, and returns its point.
     *
     * @throws RunFailedException if the run has failed
     * @throws IOException if its files cannot be written or read
     */
    QueuePoint take() throws IOException, InterruptedException {
        try {
            return points.remove().get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException io) {
                throw io;
            }
            if (e.getCause() instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            throw new IllegalStateException("a run has ended early", e.getCause());
        }
    }

    /** Ends the runs that have not ended, and waits until they write no more files. */
    @Override
    public void close() {
        threads.shutdownNow();
        try {
            threads.awaitTermination(MAX_END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
