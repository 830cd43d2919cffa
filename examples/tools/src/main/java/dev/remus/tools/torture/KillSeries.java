// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.torture;

import dev.remus.config.ThreadKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Trials in which the loss of a node ends all others ({@code --on-node-loss abort}). */
final class KillSeries implements TrialSeries {
    private final Class<?> mainClass;
    private final long seed;
    private final long kills;
    private final long longestStopMillis;
    private final ThreadKind threads;
    private final Summary summary;
    private final Trial.StartTime startTime = new Trial.StartTime();
    private int next;

    /**
     * @param mainClass the main class of each node, whose arguments are the name of a program and its command line
     * @param kills the number of kills after which it ends
     * @param first the number of the first trial
     * @param threads the kind of the nodes' Compute Threads
     */
    KillSeries(Class<?> mainClass, long seed, long kills, int first, long longestStopMillis, ThreadKind threads) {
        this.mainClass = mainClass;
        this.seed = seed;
        this.kills = kills;
        this.next = first;
        this.longestStopMillis = longestStopMillis;
        this.threads = threads;
        this.summary = new Summary(seed);
    }

    @Override
    public String unit() {
        return "kills";
    }

    @Override
    public long done() {
        return summary.kills();
    }

    @Override
    public long wanted() {
        return kills;
    }

    @Override
    public Optional<String> runNext(ShmFolder shm, Path results) throws IOException, InterruptedException {
        return run(TorturePlan.draw(seed, next++, longestStopMillis, threads), shm, results);
    }

    @Override
    public Optional<String> runLast(ShmFolder shm, Path results) throws IOException, InterruptedException {
        return run(TorturePlan.withoutFault(next, threads), shm, results);
    }

    private Optional<String> run(TorturePlan plan, ShmFolder shm, Path results)
            throws IOException, InterruptedException {
        String name = Torture.clusterName(plan.number());
        TrialOutcome outcome = new Trial(plan, name, shm, startTime)
                .run(mainClass, Files.createDirectory(results.resolve(name))); // a node removes it if it is empty
        summary.add(outcome);
        return outcome.isFailure() ? Optional.of(Summary.describe(outcome)) : Optional.empty();
    }

    @Override
    public String toTable(long seconds) {
        return summary.toTable(kills, seconds);
    }

    @Override
    public long failures() {
        return summary.failures();
    }
}
