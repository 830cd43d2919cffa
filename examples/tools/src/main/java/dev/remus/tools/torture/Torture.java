package dev.remus.tools.torture;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.progress.ProgressView;
import dev.remus.cli.progress.ProgressViews;
import dev.remus.config.ThreadKind;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Repeats trials until enough nodes were killed or the time is over. */
final class Torture {
    private final Class<?> mainClass;
    private final long seed;
    private final long kills;
    private final long seconds;
    private final long longestStopMillis;
    private final ThreadKind threads;
    private final PrintStream out;
    private final PrintStream err;
    private final Thread runner = Thread.currentThread();
    private final Trial.StartTime startTime = new Trial.StartTime();
    private volatile boolean stopping;

    /**
     * Must be constructed by the thread that calls {@link #run}.
     *
     * @param mainClass the main class of each node, whose arguments are the name of a program and its command line
     * @param kills the number of kills after which it ends
     * @param seconds the time after which it ends, once the current trial has ended
     * @param threads the kind of the nodes' Compute Threads
     */
    Torture(
            Class<?> mainClass,
            long seed,
            long kills,
            long seconds,
            long longestStopMillis,
            ThreadKind threads,
            PrintStream out,
            PrintStream err) {
        this.mainClass = mainClass;
        this.seed = seed;
        this.kills = kills;
        this.seconds = seconds;
        this.longestStopMillis = longestStopMillis;
        this.threads = threads;
        this.out = out;
        this.err = err;
    }

    /** Makes {@link #run} end soon. Any thread may call it. */
    void stop() {
        stopping = true;
        runner.interrupt();
    }

    /**
     * Runs trials, starting with the one of the given number.
     *
     * @return an {@link ExitStatus}
     */
    int run(int first) throws IOException, InterruptedException {
        Summary summary = new Summary(seed);
        long start = System.nanoTime();
        Path results = Files.createTempDirectory("remus-torture-results-");
        try (ShmFolder shm = new ShmFolder();
                ProgressView progress = ProgressViews.forUser(err)) {
            int number = first;
            while (!stopping && summary.kills() < kills && elapsedSeconds(start) < seconds) {
                progress.show("kills", summary.kills(), kills);
                note(
                        run(TorturePlan.draw(seed, number++, longestStopMillis, threads), shm, results),
                        summary,
                        progress);
            }
            if (!stopping) { // a cluster without fault must remove the last leftovers and succeed
                note(run(TorturePlan.withoutFault(number, threads), shm, results), summary, progress);
            }
        } catch (InterruptedException e) {
            if (!stopping) {
                throw e;
            }
        } finally {
            delete(results);
        }
        out.print(summary.toTable(kills, elapsedSeconds(start)));
        out.flush();
        return summary.failures() == 0 && !stopping ? ExitStatus.OK : ExitStatus.FAILED;
    }

    private void note(TrialOutcome outcome, Summary summary, ProgressView progress) {
        summary.add(outcome);
        if (outcome.isFailure()) {
            progress.interrupt();
            err.println(Summary.describe(outcome));
        }
    }

    private TrialOutcome run(TorturePlan plan, ShmFolder shm, Path results) throws IOException, InterruptedException {
        String name = "torture-" + ProcessHandle.current().pid() + "-" + plan.number();
        return new Trial(plan, name, shm, startTime)
                .run(mainClass, Files.createDirectory(results.resolve(name))); // a node removes it if it is empty
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
