package dev.remus.tools.reproduce.lockfree;

import dev.remus.tools.queue.QueueKind;
import dev.remus.tools.queue.QueueMetric;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Compares the paper's statements about figures 4 and 5 with the points of a run, a sentence for each. */
final class PaperClaims {
    /** The cores of a node of the paper's cluster. */
    static final int PROCESSES_OF_A_NODE = 12;

    private static final String LOCKS = "our locks are in remote memory; the paper's are MPI's, whose cost it does not"
            + " give. An uncontended lock costs little, while bd announces each operation to all others";

    private static final String CHEAP_NODE = "processors cost nothing in the model, and accesses within a node do not"
            + " slow each other down, so processes of one node add throughput until a lock or a word limits them";

    private static final String BEYOND = "the rise beyond one node is not explained; other values of --seed and"
            + " --num-ops show how far it is chance";

    private static final String ANNOUNCING = "announcing reaches all processes that have older news, and with few"
            + " processes the tail and the head are near";

    private static final String MEASURED = "the run has a machine and numbers of processes of its own";

    private final QueuePoints points;
    private final boolean isModelled;

    /** @param isModelled whether the times are those of the simulator */
    PaperClaims(QueuePoints points, boolean isModelled) {
        this.isModelled = isModelled;
        this.points = points;
    }

    /**
     * A statement of the paper and our result.
     *
     * @param why the reason of a difference, as far as it is known
     */
    record Claim(String paper, boolean holds, String ours, String why) {
        @Override
        public String toString() {
            return "paper: " + paper + "\n" + (holds ? "same: " + ours : "different: " + ours + "\nbecause: " + why);
        }
    }

    List<Claim> all() {
        List<Claim> claims = new ArrayList<>();
        for (QueueKind nd : List.of(QueueKind.ND_PUBLISHED, QueueKind.ND)) {
            claims.add(isAbove(nd, QueueKind.BD, "figure 4, nd is above bd"));
        }
        claims.add(isAbove(QueueKind.BD, QueueKind.BC, "figure 4, bd is above bc"));
        for (QueueKind queue : List.of(QueueKind.ND_PUBLISHED, QueueKind.BD, QueueKind.BC, QueueKind.ND)) {
            falls(queue).ifPresent(claims::add);
        }
        for (QueueKind nd : List.of(QueueKind.ND_PUBLISHED, QueueKind.ND)) {
            hops(nd).ifPresent(claims::add);
            nodes(nd).ifPresent(claims::add);
        }
        return claims;
    }

    private Claim isAbove(QueueKind upper, QueueKind lower, String statement) {
        List<QueuePoint> below = points.of(upper).stream()
                .filter(point -> points.find(lower, point.processes())
                        .filter(other -> other.throughput() >= point.throughput())
                        .isPresent())
                .toList();
        String numbers =
                below.stream().map(point -> Integer.toString(point.processes())).collect(Collectors.joining(", "));
        return new Claim(
                statement,
                below.isEmpty(),
                below.isEmpty()
                        ? upper + " is above " + lower + " at every point"
                        : upper + " is not above " + lower + " with " + numbers + " processes",
                LOCKS);
    }

    private Optional<Claim> falls(QueueKind queue) {
        List<QueuePoint> curve = points.of(queue);
        if (curve.size() < 2) {
            return Optional.empty();
        }
        List<String> rises = new ArrayList<>();
        Set<String> reasons = new LinkedHashSet<>();
        for (int i = 1; i < curve.size(); i++) {
            if (curve.get(i).throughput() > curve.get(i - 1).throughput()) {
                rises.add(curve.get(i - 1).processes() + " to " + curve.get(i).processes());
                reasons.add(curve.get(i).processes() <= PROCESSES_OF_A_NODE ? CHEAP_NODE : BEYOND);
            }
        }
        QueuePoint first = curve.get(0);
        QueuePoint last = curve.get(curve.size() - 1);
        String node = points.find(queue, PROCESSES_OF_A_NODE)
                .filter(point -> point.processes() < last.processes() && point.processes() > first.processes())
                .map(point -> String.format(Locale.ROOT, ", %,.0f with %d", point.throughput(), point.processes()))
                .orElse("");
        String ends = String.format(
                Locale.ROOT,
                "%s does %,.0f op/s with %d processes%s, %,.0f with %d",
                queue,
                first.throughput(),
                first.processes(),
                node,
                last.throughput(),
                last.processes());
        return Optional.of(new Claim(
                "figure 4, throughput falls with the number of processes",
                rises.isEmpty(),
                rises.isEmpty() ? ends : ends + "; it rises from " + String.join(", ", rises),
                isModelled ? String.join("; ", reasons) : MEASURED));
    }

    private Optional<Claim> hops(QueueKind nd) {
        List<QueuePoint> curve = points.of(nd);
        if (curve.isEmpty()) {
            return Optional.empty();
        }
        QueuePoint last = curve.get(curve.size() - 1);
        String others = curve.stream()
                .filter(point -> point.hopShare() <= 0.5)
                .map(point -> Integer.toString(point.processes()))
                .collect(Collectors.joining(", "));
        String shares = String.format(
                Locale.ROOT,
                "with %d processes, %s spends %.0f %% of its time finding them, and %.0f %% announcing",
                last.processes(),
                nd,
                100 * last.hopShare(),
                100 * last.announcingShare());
        return Optional.of(new Claim(
                "figure 5, most of the time goes to finding the tail or the head",
                others.isEmpty(),
                others.isEmpty() ? shares : shares + "; at most half of it with " + others + " processes",
                ANNOUNCING));
    }

    private Optional<Claim> nodes(QueueKind nd) {
        Optional<QueuePoint> one = points.find(nd, PROCESSES_OF_A_NODE);
        Optional<QueuePoint> two = points.find(nd, 2 * PROCESSES_OF_A_NODE);
        if (!isModelled || one.isEmpty() || two.isEmpty()) { // measured processes are not on nodes of twelve
            return Optional.empty();
        }
        double within = one.get().micros(QueueMetric.ENQ_ALL);
        double beyond = two.get().micros(QueueMetric.ENQ_ALL);
        return Optional.of(new Claim(
                "figure 5, operations are fast within a node, and slower on more nodes",
                beyond > within,
                String.format(
                        Locale.ROOT,
                        "an enqueue of %s takes %.1f µs with 12 processes on one node, %.1f µs with 24 on two",
                        nd,
                        within,
                        beyond),
                MEASURED));
    }
}
