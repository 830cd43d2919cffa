// SPDX-License-Identifier: Apache-2.0
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

    /** With fewer operations of a process, creating the queue and the end of a run weigh too much. */
    private static final int MIN_OPERATIONS = 100;

    private static final int MIN_POINTS_OF_A_CURVE = 3;

    private static final String LOCKS = "our locks are in remote memory; the paper's are MPI's, whose cost it does not"
            + " give. An uncontended lock costs little, while bd announces each operation to all others";

    private static final String NEVER_SEEN = "no run of this project showed it before, so the reason is not known";

    private static final String SHARED_PROCESSORS =
            "processes that share a processor wait for each other; if these had one each, the reason is not known";

    private static final String CHEAP_NODE = "processors cost nothing in the model, and accesses within a node do not"
            + " slow each other down, so processes of one node add throughput until a lock or a word limits them";

    private static final String BEYOND = "a rise beyond one node may be chance, which other values of --seed" + " show";

    /** Throughputs that differ by less than this are equal. */
    private static final double TOLERANCE = 0.03;

    private static final String ANNOUNCING = "announcing reaches all processes that have older news, and with few"
            + " processes the tail and the head are near";

    private static final String WAITING =
            "with few processes the tail and the head are near, and processes that share a"
                    + " processor wait for it in every part";

    private static final String MEASURED = "the run has a machine and numbers of processes of its own";

    private static final String SAME_COST =
            "an access within a node costs as much as one between nodes, see --local-latency";

    private final QueuePoints points;
    private final boolean isModelled;

    /** @param isModelled whether the times are those of the simulator */
    PaperClaims(QueuePoints points, boolean isModelled) {
        this.isModelled = isModelled;
        this.points = points;
    }

    List<PaperClaim> all() {
        List<PaperClaim> claims = new ArrayList<>();
        for (QueueKind nd : List.of(QueueKind.ND_PUBLISHED, QueueKind.ND)) {
            claims.add(
                    isAbove(nd, QueueKind.BD, "figure 4, nd is above bd", isModelled ? NEVER_SEEN : SHARED_PROCESSORS));
        }
        claims.add(isAbove(QueueKind.BD, QueueKind.BC, "figure 4, bd is above bc", LOCKS));
        for (QueueKind queue : List.of(QueueKind.ND_PUBLISHED, QueueKind.BD, QueueKind.BC, QueueKind.ND)) {
            claims.add(falls(queue));
        }
        for (QueueKind nd : List.of(QueueKind.ND_PUBLISHED, QueueKind.ND)) {
            claims.add(hops(nd));
            if (isModelled) { // measured processes are not on nodes of twelve
                claims.add(nodes(nd));
            }
        }
        long operations = points.fewestOperations();
        return operations >= MIN_OPERATIONS
                ? claims
                : claims.stream()
                        .map(claim -> PaperClaim.notJudged(
                                claim.paper(), "n = " + operations + " is too few: needs " + MIN_OPERATIONS))
                        .toList();
    }

    private PaperClaim isAbove(QueueKind upper, QueueKind lower, String statement, String why) {
        List<QueuePoint> both = points.of(upper).stream()
                .filter(point -> points.find(lower, point.processes()).isPresent())
                .toList();
        if (both.isEmpty()) {
            return PaperClaim.notJudged(statement, "no number of processes has points of " + upper + " and " + lower);
        }
        String below = both.stream()
                .filter(point -> points.find(lower, point.processes())
                        .filter(other -> other.throughput() >= point.throughput())
                        .isPresent())
                .map(point -> Integer.toString(point.processes()))
                .collect(Collectors.joining(", "));
        return below.isEmpty()
                ? PaperClaim.same(statement, upper + " is above " + lower + " at every point")
                : PaperClaim.different(
                        statement, upper + " is not above " + lower + " with " + below + " processes", why);
    }

    private PaperClaim falls(QueueKind queue) {
        String statement = "figure 4, throughput falls with the number of processes";
        List<QueuePoint> curve = points.of(queue);
        if (curve.size() < MIN_POINTS_OF_A_CURVE) {
            return PaperClaim.notJudged(
                    statement, "points of " + queue + ": " + curve.size() + "; a curve needs " + MIN_POINTS_OF_A_CURVE);
        }
        List<String> rises = new ArrayList<>();
        Set<String> reasons = new LinkedHashSet<>();
        for (int i = 1; i < curve.size(); i++) {
            QueuePoint from = curve.get(i - 1);
            QueuePoint to = curve.get(i);
            if (to.throughput() > from.throughput()) {
                rises.add(from.processes() + " to " + to.processes());
                reasons.add(to.processes() <= PROCESSES_OF_A_NODE ? CHEAP_NODE : beyond(from, to));
            }
        }
        QueuePoint first = curve.get(0);
        QueuePoint last = curve.get(curve.size() - 1);
        String node = points.find(queue, PROCESSES_OF_A_NODE)
                .filter(point -> point.processes() < last.processes() && point.processes() > first.processes())
                .map(point -> format(", %,.0f with %d", point.throughput(), point.processes()))
                .orElse("");
        String ends = format(
                "%s does %,.0f op/s with %d processes%s, %,.0f with %d",
                queue, first.throughput(), first.processes(), node, last.throughput(), last.processes());
        return rises.isEmpty()
                ? PaperClaim.same(statement, ends)
                : PaperClaim.different(
                        statement,
                        ends + "; it rises from " + String.join(", ", rises),
                        isModelled ? String.join("; ", reasons) : MEASURED);
    }

    /** The reason of a rise beyond one node: most often that processes end at different times. */
    private static String beyond(QueuePoint from, QueuePoint to) {
        if (to.throughputOfAll() > from.throughputOfAll() * (1 + TOLERANCE)) {
            return BEYOND;
        }
        return format(
                "from %d to %d, no part of an operation gets faster: while all processes work, they do %,.0f and %,.0f"
                        + " op/s, but then wait %.0f %% and %.0f %% of the time for the slowest one to end",
                from.processes(),
                to.processes(),
                from.throughputOfAll(),
                to.throughputOfAll(),
                100 * from.idleShare(),
                100 * to.idleShare());
    }

    private PaperClaim hops(QueueKind nd) {
        String statement = "figure 5, most of the time goes to finding the tail or the head";
        List<QueuePoint> curve = points.of(nd);
        if (curve.isEmpty()) {
            return PaperClaim.notJudged(statement, nd + " has no points");
        }
        QueuePoint last = curve.get(curve.size() - 1);
        String others = curve.stream()
                .filter(point -> point.hopShare() <= 0.5)
                .map(point -> Integer.toString(point.processes()))
                .collect(Collectors.joining(", "));
        String shares = format(
                "with %d processes, %s spends %.0f %% of its time finding them, and %.0f %% announcing",
                last.processes(), nd, 100 * last.hopShare(), 100 * last.announcingShare());
        return others.isEmpty()
                ? PaperClaim.same(statement, shares)
                : PaperClaim.different(
                        statement,
                        shares + "; at most half of it with " + others + " processes",
                        isModelled ? ANNOUNCING : WAITING);
    }

    private PaperClaim nodes(QueueKind nd) {
        String statement = "figure 5, operations are fast within a node, and slower on more nodes";
        Optional<QueuePoint> one = points.find(nd, PROCESSES_OF_A_NODE);
        Optional<QueuePoint> two = points.find(nd, 2 * PROCESSES_OF_A_NODE);
        if (one.isEmpty() || two.isEmpty()) {
            return PaperClaim.notJudged(statement, nd + " lacks the points with 12 and 24 processes");
        }
        double within = one.get().micros(QueueMetric.ENQ_ALL);
        double beyond = two.get().micros(QueueMetric.ENQ_ALL);
        String ours = format(
                "an enqueue of %s takes %.1f µs with 12 processes on one node, %.1f µs with 24 on two",
                nd, within, beyond);
        return beyond > within ? PaperClaim.same(statement, ours) : PaperClaim.different(statement, ours, SAME_COST);
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
