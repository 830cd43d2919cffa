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
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Repeats trials until there were enough kills or the time is over. */
final class Torture {
    private final Class<?> mainClass;
    private final long seed;
    private final long kills;
    private final long seconds;
    private final long longestStopMillis;
    private final PrintStream out;
    private final PrintStream err;
    private final Thread runner = Thread.currentThread();
    private final Trial.Clock clock = new Trial.Clock();
    private volatile boolean stopping;

    /**
     * To be made by the thread that runs it.
     *
     * @param mainClass takes the name of a program and its command line; it is started for each node
     * @param kills how many kills are enough
     * @param seconds after which it ends, with the trial that is under way
     */
    Torture(
            Class<?> mainClass,
            long seed,
            long kills,
            long seconds,
            long longestStopMillis,
            PrintStream out,
            PrintStream err) {
        this.mainClass = mainClass;
        this.seed = seed;
        this.kills = kills;
        this.seconds = seconds;
        this.longestStopMillis = longestStopMillis;
        this.out = out;
        this.err = err;
    }

    /** Makes {@link #run} end soon. May be called by any thread. */
    void stop() {
        stopping = true;
        runner.interrupt();
    }

    /**
     * Runs the trials from a number on.
     *
     * @return an {@link ExitStatus}
     */
    int run(int first) throws IOException, InterruptedException {
        Summary summary = new Summary(seed);
        long begin = System.nanoTime();
        Path results = Files.createTempDirectory("remus-torture-results-");
        try (ShmFolder shm = new ShmFolder();
                ProgressView progress = ProgressViews.forUser(err)) {
            int number = first;
            while (!stopping && summary.kills() < kills && elapsedSeconds(begin) < seconds) {
                progress.show("kills", summary.kills(), kills);
                note(run(TorturePlan.draw(seed, number++, longestStopMillis), shm, results), summary, progress);
            }
            if (!stopping) { // what the last of them may have left has to go, and all be well
                note(run(TorturePlan.leftAlone(number), shm, results), summary, progress);
            }
        } catch (InterruptedException e) {
            if (!stopping) {
                throw e;
            }
        } finally {
            delete(results);
        }
        out.print(summary.toTable(kills, elapsedSeconds(begin)));
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
        return new Trial(plan, name, shm, clock)
                .run(mainClass, Files.createDirectory(results.resolve(name))); // a node removes it if it stays empty
    }

    private static long elapsedSeconds(long begin) {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
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
