package dev.remus.tools.torture;

import dev.remus.cli.cluster.MachineLine;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A part of a cluster's life, in the order in which they come, and the workload that makes it long enough to be hit.
 * Barriers are a way to run, in which the threads wait for each other most of the time.
 */
enum Moment {
    START(2, 0, "--num-ops=1000000000", "--key-ub=200", "--connect-timeout=4"),
    CREATE(2, 150, "--num-ops=1000000000", "--key-ub=200"),
    PREFILL(5, 400, "--num-ops=1000000000", "--key-ub=20000", "--prefill=100"),
    RUN(5, 400, "--num-ops=1000000000", "--key-ub=200"),
    BARRIER(4, 400, "--num-ops=1000000000", "--key-ub=200", "--reclaim-every=1"),
    CHECK(3, 120, "--num-ops=2000", "--key-ub=200"),
    DESTROY(3, 120, "--num-ops=2000", "--key-ub=200"),
    METRICS(3, 60, "--num-ops=2000", "--key-ub=200");

    private final int weight;
    private final int width;
    private final List<String> workload;

    Moment(int weight, int width, String... workload) {
        this.weight = weight;
        this.width = width;
        this.workload = List.of(workload);
    }

    /** How often it is drawn, compared with the others. */
    int weight() {
        return weight;
    }

    /** How many milliseconds after its begin the blow may come; 0 for the time that the cluster before took to start. */
    int width() {
        return width;
    }

    /** Options of {@code intset}. */
    List<String> workload() {
        return workload;
    }

    /** What is to be waited for. */
    Moment begin() {
        return this == BARRIER ? RUN : this;
    }

    /** Whether threads that have no more to do with each other may have ended their part in good order. */
    boolean isAfterLastBarrier() {
        return compareTo(CHECK) >= 0;
    }

    /** The line by which a node announces that it has begun, where nothing else shows that. */
    String announcement() {
        return "torture: " + this;
    }

    /** The moment that begins with a line of a node's output, if one does. */
    static Optional<Moment> begunBy(String line) {
        Optional<MachineLine.Progress> progress = MachineLine.readProgress(line);
        if (progress.isPresent()) {
            return progress.get().phase().equals("prefill") ? Optional.of(PREFILL) : Optional.of(RUN);
        }
        return Stream.of(values())
                .filter(moment -> line.equals(moment.announcement()))
                .findFirst();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
