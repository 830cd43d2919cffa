// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.buffered;

import dev.remus.tools.reproduce.experiment.RunExtent;
import java.util.ArrayList;
import java.util.List;

/** The runs of the experiment with buffered queues. */
final class BufferedPlan {
    /** The number of producers while the size of batches varies. */
    static final int PRODUCERS_OF_BATCHES = 2;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final RunExtent extent;
    private final boolean isModelled;

    /** @param isModelled whether the number of producers is not limited by this machine's processors */
    BufferedPlan(RunExtent extent, boolean isModelled) {
        this.extent = extent;
        this.isModelled = isModelled;
    }

    /** How often each run is repeated, with another seed each time. */
    int rounds() {
        return switch (extent) {
            case QUICK -> 1;
            case DEFAULT -> isModelled ? 2 : 3;
            case FULL -> isModelled ? 5 : 20;
        };
    }

    /** How often each run is made before, so that the measured ones run compiled code. */
    int warmUps() {
        return isModelled || extent == RunExtent.QUICK ? 0 : 1;
    }

    private List<Integer> producers() {
        if (extent == RunExtent.QUICK) {
            return List.of(1, 2);
        }
        return isModelled ? List.of(1, 2, 4, 8, 16, 32) : List.of(1, 2, 4, 8);
    }

    private List<Integer> batches() {
        return extent == RunExtent.QUICK ? List.of(1, 16) : List.of(1, 4, 16, 64);
    }

    /** The size of each run. */
    private BufferedEffort effort() {
        if (isModelled) {
            return switch (extent) {
                case QUICK -> new BufferedEffort(20, NANOS_PER_MILLI, 4);
                case DEFAULT -> new BufferedEffort(200, 10 * NANOS_PER_MILLI, 4);
                case FULL -> new BufferedEffort(1000, 100 * NANOS_PER_MILLI, 4);
            };
        }
        return switch (extent) {
            case QUICK -> new BufferedEffort(100, 10 * NANOS_PER_MILLI, 16);
            case DEFAULT -> new BufferedEffort(20_000, 300 * NANOS_PER_MILLI, 16);
            case FULL -> new BufferedEffort(100_000, 5_000 * NANOS_PER_MILLI, 16);
        };
    }

    /** The runs of one round. */
    List<BufferedRun> trials() {
        return points().stream().map(point -> new BufferedRun(point, effort())).toList();
    }

    private List<BufferedPoint> points() {
        List<BufferedPoint> points = new ArrayList<>();
        for (BufferedLoad load : BufferedLoad.values()) {
            for (int producers : producers()) {
                for (BufferedSeries series : BufferedSeries.values()) {
                    if (series != BufferedSeries.RETRY || load == BufferedLoad.FULL) {
                        points.add(new BufferedPoint(load, series, producers, 1));
                    }
                }
            }
        }
        for (BufferedLoad load : List.of(BufferedLoad.ROOM, BufferedLoad.STREAM)) {
            for (int batch : batches().subList(1, batches().size())) {
                for (BufferedSeries series : List.of(BufferedSeries.STRICT, BufferedSeries.RELAXED)) {
                    points.add(new BufferedPoint(load, series, PRODUCERS_OF_BATCHES, batch));
                }
            }
        }
        return points;
    }
}
