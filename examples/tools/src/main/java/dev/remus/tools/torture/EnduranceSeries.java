// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.torture;

import dev.remus.config.ThreadKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** Trials in which all others go on without a lost node, which may come back ({@code --on-node-loss continue}). */
final class EnduranceSeries implements TrialSeries {
    private final Class<?> mainClass;
    private final long seed;
    private final long rounds;
    private final long longestStopMillis;
    private final ThreadKind threads;
    private final List<EnduranceOutcome> outcomes = new ArrayList<>();
    private int next;

    /**
     * @param mainClass the main class of each node, whose arguments are the name of a program and its command line
     * @param rounds the number of trials after which it ends
     * @param first the number of the first trial
     * @param threads the kind of the nodes' Compute Threads
     */
    EnduranceSeries(Class<?> mainClass, long seed, long rounds, int first, long longestStopMillis, ThreadKind threads) {
        this.mainClass = mainClass;
        this.seed = seed;
        this.rounds = rounds;
        this.next = first;
        this.longestStopMillis = longestStopMillis;
        this.threads = threads;
    }

    @Override
    public String unit() {
        return "rounds";
    }

    @Override
    public long done() {
        return outcomes.size();
    }

    @Override
    public long wanted() {
        return rounds;
    }

    @Override
    public Optional<String> runNext(ShmFolder shm, Path results) throws IOException, InterruptedException {
        EnduranceOutcome outcome = run(EndurancePlan.draw(seed, next++, longestStopMillis, threads), shm, results);
        outcomes.add(outcome);
        return outcome.isFailure() ? Optional.of(outcome.describe()) : Optional.empty();
    }

    private EnduranceOutcome run(EndurancePlan plan, ShmFolder shm, Path results)
            throws IOException, InterruptedException {
        String name = Torture.clusterName(plan.number());
        return new EnduranceTrial(plan, name, shm).run(mainClass, Files.createDirectory(results.resolve(name)));
    }

    @Override
    public long failures() {
        return outcomes.stream().filter(EnduranceOutcome::isFailure).count();
    }

    private long faults(Moment.Kind kind, Predicate<EndurancePlan> plans) {
        return outcomes.stream()
                .filter(outcome -> plans.test(outcome.plan()))
                .mapToLong(outcome -> outcome.count(kind))
                .sum();
    }

    private long late() {
        return outcomes.stream()
                .mapToLong(outcome ->
                        outcome.plan().moments().size() - outcome.faults().size())
                .sum();
    }

    @Override
    public String toTable(long seconds) {
        StringBuilder text = new StringBuilder(String.format("%-52s", "Compute Nodes"));
        for (Moment.Kind kind : Moment.Kind.values()) {
            text.append(String.format("%10s", kind));
        }
        text.append('\n');
        for (String experiment : EndurancePlan.EXPERIMENTS) {
            text.append(String.format("%-52s", experiment));
            for (Moment.Kind kind : Moment.Kind.values()) {
                text.append(String.format(
                        "%10d", faults(kind, plan -> plan.experiment().equals(experiment))));
            }
            text.append('\n');
        }
        text.append(String.format(
                Locale.ROOT,
                "rounds %d of %d in %d s, killed %d, restarted %d, stopped and continued %d, late %d, failures %d,"
                        + " seed %d%n",
                done(),
                rounds,
                seconds,
                faults(Moment.Kind.KILLED, plan -> true),
                faults(Moment.Kind.RESTARTED, plan -> true),
                faults(Moment.Kind.STOPPED, plan -> true),
                late(),
                failures(),
                seed));
        outcomes.stream()
                .filter(EnduranceOutcome::isFailure)
                .forEach(outcome -> text.append("FAILED " + outcome.plan() + "; to repeat: ./remus torture"
                        + " --on-node-loss continue --rounds 1 --seed " + seed + " --first-trial "
                        + outcome.plan().number() + " --longest-stop " + longestStopMillis / 1_000 + "\n"));
        return text.toString();
    }
}
