// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.cli.progress.ProgressView;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;

/**
 * Runs all benchmarks on all JDKs, in rounds of one fork each. Within a round, benchmarks that are compared run
 * directly after each other. Every second round runs in reverse order, so that drift in the machine's speed affects all
 * of them.
 */
final class JmhRun {
    private static final String PHASE = "bench";
    private static final long POLL_NANOS = 20_000_000;

    private final List<Jdk> jdks;
    private final List<String> benchmarks;
    private final JmhSettings settings;
    private final ProgressView progress;
    private final PrintStream err;

    private final Map<Jdk, Map<String, List<RunResult>>> results = new LinkedHashMap<>();
    private final Set<String> failed = new HashSet<>();
    private volatile boolean stopping;

    JmhRun(List<Jdk> jdks, List<Subject> subjects, JmhSettings settings, ProgressView progress, PrintStream err) {
        this.jdks = jdks;
        Set<String> distinct = new LinkedHashSet<>();
        subjects.forEach(subject -> distinct.addAll(subject.benchmarks()));
        this.benchmarks = List.copyOf(distinct);
        this.settings = settings;
        this.progress = progress;
        this.err = err;
        jdks.forEach(jdk -> results.put(jdk, new LinkedHashMap<>()));
    }

    /** The measured JDKs. */
    List<Jdk> jdks() {
        return jdks;
    }

    private Map<String, List<RunResult>> of(Jdk jdk) {
        return Objects.requireNonNull(results.get(jdk), "one of the measured JDKs");
    }

    /** Runs all benchmarks, except on JDKs where they have failed. */
    void run() {
        long total = (long) settings.forks() * jdks.size() * benchmarks.size();
        long done = 0;
        progress.show(PHASE, done, total);
        for (int round = 0; round < settings.forks(); round++) {
            for (Jdk jdk : jdks) {
                for (String benchmark : inOrderOf(round)) {
                    if (stopping) {
                        return;
                    }
                    run(benchmark, jdk);
                    progress.show(PHASE, ++done, total);
                }
            }
        }
    }

    private List<String> inOrderOf(int round) {
        List<String> order = new ArrayList<>(benchmarks);
        if (round % 2 != 0) {
            Collections.reverse(order);
        }
        return order;
    }

    private void run(String benchmark, Jdk jdk) {
        String key = jdk + benchmark;
        if (failed.contains(key)) {
            return; // it would fail again
        }
        try {
            RunResult result = new JmhFork(jdk, settings).run(benchmark);
            of(jdk).computeIfAbsent(benchmark, name -> new ArrayList<>()).add(result);
        } catch (JmhFork.FailedException e) {
            failed.add(key);
            if (!stopping) {
                progress.interrupt();
                err.println("remus: " + e.getMessage());
            }
        }
    }

    /** Ends the running fork, so that {@link #run} returns soon. Any thread may call it. */
    void stop() {
        stopping = true;
        Thread ending = new Thread(JmhRun::endForks, "end-forks");
        ending.setDaemon(true);
        ending.start();
    }

    /** Repeats until this process ends, because JMH may be about to start a fork. */
    private static void endForks() {
        while (true) {
            ProcessHandle.current().descendants().forEach(ProcessHandle::destroy);
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** The results of a JDK by benchmark, with all rounds merged; benchmarks that failed in any round are absent. */
    Map<String, RunResult> results(Jdk jdk) {
        Map<String, RunResult> merged = new LinkedHashMap<>();
        of(jdk).forEach((benchmark, rounds) -> {
            if (!failed.contains(jdk + benchmark)) {
                merged.put(benchmark, merge(rounds));
            }
        });
        return merged;
    }

    private static RunResult merge(List<RunResult> rounds) {
        List<BenchmarkResult> forks = rounds.stream()
                .flatMap(round -> round.getBenchmarkResults().stream())
                .toList();
        return new RunResult(rounds.get(0).getParams(), forks);
    }
}
