// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page9;

import dev.remus.cli.cluster.Job;
import dev.remus.cli.cluster.NodeContext;
import dev.remus.cli.cluster.Program;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeThread;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import dev.remus.tutorial.page5.LazyList;
import java.util.Locale;

/** Solution of the exercise: how long a search takes, predicted from its round trips and measured. */
public final class PredictedTime implements Program {
    private static final int KEYS = 100;
    private static final int TIMES = 200;

    /** Takes the options of the framework. */
    public static void main(String... args) {
        ProgramRunner.main(new PredictedTime(), PredictedTime.class, args);
    }

    @Override
    public String name() {
        return "predicted-time";
    }

    @Override
    public String summary() {
        return "Predicts from its round trips how long a search takes.";
    }

    @Override
    public OptionSet options() {
        return new OptionSet(name(), summary()).include(RemusOptions.groups());
    }

    @Override
    public Job prepare(Arguments arguments, ClusterConfig cluster) {
        return this::run;
    }

    private void run(ComputeThread ct, NodeContext context) {
        if (ct.id() == 0) {
            LazyList list = new LazyList(LazyList.create(ct));
            for (int key = 0; key < KEYS; key++) {
                list.insert(key, ct);
            }
            search(list, ct); // warms up
            long before = ct.metrics().roundTrips();
            double micros = search(list, ct);
            double trips = (ct.metrics().roundTrips() - before) / (double) TIMES;
            double predicted = trips * roundTrip(ct);
            context.conclude(String.format(Locale.ROOT, "%.1f round trips for each search", trips));
            context.conclude(String.format(Locale.ROOT, "predicted %.1f µs, measured %.1f µs", predicted, micros));
            list.destroy(ct);
        }
        ct.barrier();
    }

    /** How long a search for the last key takes, in microseconds. */
    private static double search(LazyList list, ComputeThread ct) {
        long start = ct.nanoTime();
        for (int i = 0; i < TIMES; i++) {
            if (!list.contains(KEYS - 1, ct)) {
                throw new IllegalStateException("key " + (KEYS - 1) + " is not there");
            }
        }
        return (ct.nanoTime() - start) / 1e3 / TIMES;
    }

    /** How long a READ takes, in microseconds. */
    private static double roundTrip(ComputeThread ct) {
        long word = ct.allocate(Long.BYTES);
        int times = KEYS * TIMES;
        long start = 0;
        for (int i = -times; i < times; i++) { // the first half warms up
            if (i == 0) {
                start = ct.nanoTime();
            }
            ct.read(word);
        }
        double micros = (ct.nanoTime() - start) / 1e3 / times;
        ct.free(word, Long.BYTES);
        return micros;
    }
}
