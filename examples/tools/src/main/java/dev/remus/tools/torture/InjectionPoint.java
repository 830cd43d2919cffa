// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.torture;

import dev.remus.cli.cluster.MachineLine;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A phase of a cluster's run in which faults are injected, with a workload that makes it long enough. The constants are
 * in the order of the phases. {@link #BARRIER} is a kind of {@link #RUN} in which the threads mostly wait for each
 * other.
 */
enum InjectionPoint {
    START(2, 0, "--num-ops=1000000000", "--key-ub=200", "--connect-timeout=4"),
    CREATE(2, 150, "--num-ops=1000000000", "--key-ub=200"),
    PREFILL(5, 400, "--num-ops=1000000000", "--key-ub=20000", "--prefill=100"),
    RUN(5, 400, "--num-ops=1000000000", "--key-ub=200"),
    BARRIER(4, 400, "--num-ops=1000000000", "--key-ub=200", "--reclaim=barrier", "--reclaim-every=1"),
    CHECK(3, 120, "--num-ops=2000", "--key-ub=200"),
    DESTROY(3, 120, "--num-ops=2000", "--key-ub=200"),
    METRICS(3, 60, "--num-ops=2000", "--key-ub=200");

    private final int weight;
    private final int windowMillis;
    private final List<String> workload;

    InjectionPoint(int weight, int windowMillis, String... workload) {
        this.weight = weight;
        this.windowMillis = windowMillis;
        this.workload = List.of(workload);
    }

    /** The weight with which it is drawn. */
    int weight() {
        return weight;
    }

    /**
     * The milliseconds after its start within which a fault is injected; 0 for the time that the previous cluster took
     * to start.
     */
    int windowMillis() {
        return windowMillis;
    }

    /** The options of {@code intset}. */
    List<String> workload() {
        return workload;
    }

    /** The point whose start is awaited. */
    InjectionPoint awaited() {
        return this == BARRIER ? RUN : this;
    }

    /** Whether other nodes may have ended normally by then, since their threads no longer wait for each other. */
    boolean isAfterLastBarrier() {
        return compareTo(CHECK) >= 0;
    }

    /** The line by which a node announces the start of this point, if nothing else shows it. */
    String announcement() {
        return "torture: " + this;
    }

    /** The point that starts with a line of a node's output, if any. */
    static Optional<InjectionPoint> startedBy(String line) {
        Optional<MachineLine.Progress> progress = MachineLine.readProgress(line);
        if (progress.isPresent()) {
            return progress.get().phase().equals("run") ? Optional.of(RUN) : Optional.of(PREFILL);
        }
        return Stream.of(values())
                .filter(point -> line.equals(point.announcement()))
                .findFirst();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
