// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation;

import dev.remus.check.Invocation;
import dev.remus.check.Recorder;
import dev.remus.check.RejectedHistoryError;
import dev.remus.fabric.sim.Simulator;
import dev.remus.fabric.sim.source.SourceLine;
import dev.remus.record.RecordView;
import dev.remus.record.RecordViews;
import dev.remus.simulation.player.Caption;
import dev.remus.simulation.player.PlayerPage;
import dev.remus.simulation.player.RecordNames;
import dev.remus.simulation.player.Recording;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A scenario that has run in one schedule, with all that happened: the recorded operations, and each step with the
 * words that requests read or changed. The run is that of {@link Finding#in}, only slower.
 *
 * <pre>{@code
 * WatchedRun run = WatchedRun.of(scenario, Schedule.random(5));
 * run.writePage(Path.of("schedule.html"), "my scenario", "seed 5");
 * }</pre>
 */
public final class WatchedRun {
    private static final int MAX_OPERATIONS = 20_000;

    /** One cluster of the run. */
    private record Watched(Simulator simulator, RecordNames names, Recording recording) {}

    private final List<Watched> clusters = new ArrayList<>();
    private final Deque<String> operations = new ArrayDeque<>();
    private long droppedOperations;
    private @Nullable Finding finding;

    private WatchedRun() {}

    /**
     * Runs a scenario. Runs of several threads take place one after the other, since each listens to all views.
     *
     * @param schedule has not been used yet; its observer receives the simulators too
     */
    public static WatchedRun of(Scenario scenario, Schedule schedule) {
        synchronized (WatchedRun.class) {
            WatchedRun run = new WatchedRun();
            run.run(scenario, schedule);
            return run;
        }
    }

    private void run(Scenario scenario, Schedule schedule) {
        Recorder.Listener listener = new Recorder.Listener() {
            @Override
            public void calls(int thread, Object operation) {
                add(to -> to.calls(thread, operation.toString()));
            }

            @Override
            public void returns(int thread, Object operation, @Nullable Object result) {
                add(to -> to.returns(thread, operation.toString(), String.valueOf(result)));
            }

            @Override
            public void fails(int thread, Object operation, Throwable failure) {
                String exception = failure.toString().lines().findFirst().orElse("");
                add(to -> to.fails(thread, operation.toString(), exception, SourceLine.of(failure)));
            }
        };
        Recorder.addListener(listener);
        Consumer<Object> before = RecordViews.report(view -> add((RecordView) view));
        try {
            finding = Finding.in(scenario, schedule.observedBy(simulator -> {
                        schedule.observer().accept(simulator);
                        watch(simulator);
                    }))
                    .orElse(null);
        } finally {
            Recorder.removeListener(listener);
            RecordViews.report(before);
        }
    }

    private void watch(Simulator simulator) {
        RecordNames names = new RecordNames();
        Recording recording = new Recording(simulator, names);
        simulator.traced(recording);
        clusters.add(new Watched(simulator, names, recording));
    }

    /** Adds an event of an operation, unless it is one of another test that runs meanwhile. */
    private void add(Function<Recording, String> event) {
        clusters.stream().filter(cluster -> cluster.simulator().isInside()).forEach(cluster -> {
            operations.add("step " + cluster.simulator().steps() + ": " + event.apply(cluster.recording()));
            if (operations.size() > MAX_OPERATIONS) {
                operations.removeFirst();
                droppedOperations++;
            }
        });
    }

    private void add(RecordView view) {
        clusters.stream()
                .filter(cluster -> cluster.simulator().isInside())
                .forEach(cluster -> cluster.names().add(cluster.simulator().self(), view));
    }

    /** The failure, if there was one. In an exhaustive search its seed is not the number of the schedule. */
    public Optional<Finding> finding() {
        return Optional.ofNullable(finding);
    }

    /** How many steps the last cluster of the run has taken; 0 if there was none. */
    public long steps() {
        return last().map(cluster -> cluster.simulator().steps()).orElse(0L);
    }

    /** All steps of all clusters, as {@link Simulator#trace} shows them. */
    public String trace() {
        return traces().stream().collect(Collectors.joining());
    }

    /** The steps of each cluster. */
    List<String> traces() {
        return clusters.stream().map(cluster -> cluster.simulator().trace()).toList();
    }

    /** The calls, returns and exceptions of operations, in order. */
    List<String> operations() {
        return List.copyOf(operations);
    }

    /** How many earlier ones were dropped. */
    long droppedOperations() {
        return droppedOperations;
    }

    private Optional<Watched> last() {
        return clusters.isEmpty() ? Optional.empty() : Optional.of(clusters.get(clusters.size() - 1));
    }

    /**
     * Writes an HTML page that plays the run of its last cluster: one file, which any browser opens without a network.
     * An existing file is replaced.
     *
     * @param title what was run
     * @param replay how the reader can run it again
     * @throws IllegalStateException if the scenario ran no cluster
     * @throws IOException if the file cannot be written
     */
    public void writePage(Path file, String title, String replay) throws IOException {
        Files.writeString(file, page(title, replay), StandardCharsets.UTF_8);
    }

    /**
     * The page that {@link #writePage} writes.
     *
     * @throws IllegalStateException if the scenario ran no cluster
     */
    String page(String title, String replay) {
        Recording recording = last().orElseThrow(() -> new IllegalStateException("the scenario ran no cluster"))
                .recording();
        if (finding == null) {
            return PlayerPage.of(recording, new Caption(title, replay, ""));
        }
        Caption caption = new Caption(title, replay, finding.describe().stripTrailing());
        Optional<Invocation<?, ?>> culprit =
                finding.cause() instanceof RejectedHistoryError rejected ? rejected.culprit() : Optional.empty();
        return culprit.map(wrong -> PlayerPage.ofWrongResult(
                        recording,
                        caption,
                        wrong.returned(),
                        wrong.thread(),
                        wrong.operation().toString(),
                        String.valueOf(wrong.result())))
                .orElseGet(() -> PlayerPage.ofFailure(recording, caption));
    }

    /** Whether there is a cluster to show. */
    boolean hasCluster() {
        return !clusters.isEmpty();
    }
}
