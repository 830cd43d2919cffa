// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.buffered;

import dev.remus.tools.reproduce.claims.Claim;
import dev.remus.tools.reproduce.claims.TrialTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The sentences of the specification and of the tutorial about the buffered queue, and the verdicts on them. */
final class BufferedClaims {
    private static final String SPECIFICATION = "specification of the buffered queue";
    private static final String PAGE_8 = "tutorial, page 8";
    private static final String JAVADOC = "Javadoc of BufferedQueue";
    private static final double TOLERANCE = 0.1;
    private static final int MAX_BATCH_OF_TWO_ROUND_TRIPS = 32;

    private final TrialTable table;

    BufferedClaims(TrialTable table) {
        this.table = table;
    }

    List<Claim> all() {
        return List.of(
                twoRoundTripsAndOne(), constantRoundTrips(), batchesCostNoMore(), fairWhenFull(), relaxedIsFaster());
    }

    private Claim twoRoundTripsAndOne() {
        double enqueue = mean(BufferedFigure.ENQUEUE_TRIPS, BufferedLoad.ROOM, BufferedSeries.STRICT, 1, 1);
        double dequeue = mean(BufferedFigure.DEQUEUE_TRIPS, BufferedLoad.ROOM, BufferedSeries.STRICT, 1, 1);
        return new Claim(
                PAGE_8,
                "It takes two round trips for an enqueue and one for a dequeue",
                Math.abs(enqueue - 2) <= TOLERANCE && dequeue <= 1 + TOLERANCE,
                format(
                        "With room for all items, an enqueue takes %.2f round trips; a dequeue takes %.2f, as one READ"
                                + " fetches several items.",
                        enqueue, dequeue));
    }

    private Claim constantRoundTrips() {
        List<Integer> producers = producers(BufferedLoad.ROOM);
        int most = producers.get(producers.size() - 1);
        double alone = mean(BufferedFigure.ENQUEUE_TRIPS, BufferedLoad.ROOM, BufferedSeries.STRICT, 1, 1);
        double together = mean(BufferedFigure.ENQUEUE_TRIPS, BufferedLoad.ROOM, BufferedSeries.STRICT, most, 1);
        return new Claim(
                SPECIFICATION,
                "If the buffer is not full, enqueues take O(1) round trips",
                together <= alone * (1 + TOLERANCE),
                format("An enqueue takes %.2f round trips with 1 producer and %.2f with %d.", alone, together, most));
    }

    private Claim batchesCostNoMore() {
        int batch = batches().stream()
                .filter(size -> size <= MAX_BATCH_OF_TWO_ROUND_TRIPS)
                .reduce(1, Math::max);
        double enqueue = mean(
                BufferedFigure.ENQUEUE_TRIPS,
                BufferedLoad.ROOM,
                BufferedSeries.STRICT,
                BufferedPlan.PRODUCERS_OF_BATCHES,
                batch);
        double dequeue = mean(
                BufferedFigure.DEQUEUE_TRIPS,
                BufferedLoad.ROOM,
                BufferedSeries.STRICT,
                BufferedPlan.PRODUCERS_OF_BATCHES,
                batch);
        return new Claim(
                JAVADOC,
                "A batch of up to 32 items: enqueue 2, dequeue 1",
                Math.abs(enqueue - 2) <= 2 * TOLERANCE && dequeue <= 1 + TOLERANCE,
                format(
                        "A batch of %d items takes %.2f round trips to enqueue and %.2f to dequeue.",
                        batch, enqueue, dequeue));
    }

    private Claim fairWhenFull() {
        double worst = 1;
        List<String> each = new ArrayList<>();
        for (int producers : producers(BufferedLoad.FULL)) {
            double ratio = mean(BufferedFigure.ITEMS_MIN_MAX, BufferedLoad.FULL, BufferedSeries.STRICT, producers, 1);
            double jain = mean(BufferedFigure.ITEMS_JAIN, BufferedLoad.FULL, BufferedSeries.STRICT, producers, 1);
            worst = Math.min(worst, ratio);
            each.add(format("%.3f (Jain %.3f) with %d", ratio, jain, producers));
        }
        return new Claim(
                SPECIFICATION,
                "If the buffer is full, enqueues are still fair, due to turn taking",
                worst >= 1 - TOLERANCE,
                "The producer with the fewest items has this share of those of the one with the most: "
                        + String.join(", ", each) + " producers.");
    }

    private Claim relaxedIsFaster() {
        boolean isFaster = true;
        List<String> each = new ArrayList<>();
        for (int producers : producers(BufferedLoad.STREAM)) {
            double ratio = mean(BufferedFigure.THROUGHPUT, BufferedLoad.STREAM, BufferedSeries.RELAXED, producers, 1)
                    / mean(BufferedFigure.THROUGHPUT, BufferedLoad.STREAM, BufferedSeries.STRICT, producers, 1);
            isFaster &= ratio > 1;
            each.add(format("%.2f with %d", ratio, producers));
        }
        return new Claim(
                SPECIFICATION,
                "A weaker queue is more performant",
                isFaster,
                "The relaxed queue moves this multiple of the strict queue's items a second: " + String.join(", ", each)
                        + " producers.");
    }

    private List<Integer> producers(BufferedLoad load) {
        return table.conditions("producers", Map.of("load", load, "batch", 1)).stream()
                .map(Integer::valueOf)
                .toList();
    }

    private List<Integer> batches() {
        return table.conditions("batch", Map.of("load", BufferedLoad.ROOM)).stream()
                .map(Integer::valueOf)
                .toList();
    }

    private double mean(BufferedFigure figure, BufferedLoad load, BufferedSeries series, int producers, int batch) {
        return table.mean(
                figure.column(), Map.of("load", load, "queue", series, "producers", producers, "batch", batch));
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
