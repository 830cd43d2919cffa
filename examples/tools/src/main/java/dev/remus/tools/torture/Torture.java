// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.torture;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.progress.ProgressView;
import dev.remus.cli.progress.ProgressViews;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs the trials of a series until there are enough or the time is over. */
final class Torture {
    private final TrialSeries series;
    private final long seconds;
    private final PrintStream out;
    private final PrintStream err;
    private final Thread runner = Thread.currentThread();
    private volatile boolean stopping;

    /**
     * Must be constructed by the thread that calls {@link #run}.
     *
     * @param seconds the time after which it ends, once the current trial has ended
     */
    Torture(TrialSeries series, long seconds, PrintStream out, PrintStream err) {
        this.series = series;
        this.seconds = seconds;
        this.out = out;
        this.err = err;
    }

    /** The name of the cluster of a trial of this process. */
    static String clusterName(int trial) {
        return "torture-" + ProcessHandle.current().pid() + "-" + trial;
    }

    /** Makes {@link #run} end soon. Any thread may call it. */
    void stop() {
        stopping = true;
        runner.interrupt();
    }

    /**
     * Runs trials.
     *
     * @return an {@link ExitStatus}
     */
    int run() throws IOException, InterruptedException {
        long start = System.nanoTime();
        Path results = Files.createTempDirectory("remus-torture-results-");
        try (ShmFolder shm = new ShmFolder();
                ProgressView progress = ProgressViews.forUser(err)) {
            while (!stopping && series.done() < series.wanted() && elapsedSeconds(start) < seconds) {
                progress.show(series.unit(), series.done(), series.wanted());
                note(series.runNext(shm, results), progress);
            }
            if (!stopping) {
                note(series.runLast(shm, results), progress);
            }
        } catch (InterruptedException e) {
            if (!stopping) {
                throw e;
            }
        } finally {
            delete(results);
        }
        out.print(series.toTable(elapsedSeconds(start)));
        out.flush();
        return series.failures() == 0 && !stopping ? ExitStatus.OK : ExitStatus.FAILED;
    }

    private void note(Optional<String> failure, ProgressView progress) {
        if (failure.isPresent()) {
            progress.interrupt();
            err.println(failure.get());
        }
    }

    private static long elapsedSeconds(long start) {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    }

    private static void delete(Path folder) throws IOException {
        List<Path> paths;
        try (Stream<Path> files = Files.walk(folder)) {
            paths = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : paths) {
            Files.deleteIfExists(path);
        }
    }
}
