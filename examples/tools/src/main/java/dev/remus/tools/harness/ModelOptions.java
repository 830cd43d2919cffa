// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.options.Arguments;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The options of experiments on a simulated cluster, where a {@link dev.remus.fabric.CostModel} gives the cost of
 * operations. Each of its nodes is a Memory Node and a Compute Node. All threads run in this process, one at a time, so
 * only patience limits their number.
 */
public final class ModelOptions {
    private static final String SIM = "sim";
    private static final int MAX_THREADS = 10_000;
    private static final int MAX_THREADS_PER_NODE = 100;

    /** Enough for 10,000 operations of 10,000 threads that announce each to all others. */
    private static final long MAX_ROUND_TRIPS = 10_000_000_000_000L;

    /** The fabric, whose name {@code sim} requests a simulation. */
    public static final OptionSpec<String> FABRIC =
            OptionSpec.text(RemusOptions.FABRIC.name(), "name", SIM + "; any other name starts a real cluster");

    /** The numbers of threads, with a run for each. */
    public static final OptionSpec<List<String>> THREADS = OptionSpec.list(
            "--sweep",
            "threads",
            "One run for each of these numbers of threads of the whole cluster; 1 to " + MAX_THREADS
                    + ", by default 2");

    /** The seed of the random choices; default 1. */
    public static final OptionSpec<Long> SEED = OptionSpec.integer(
                    "--seed", Long.MIN_VALUE, Long.MAX_VALUE, "The seed of the random choices")
            .withDefault(1L);

    /** The most nodes; default 6. */
    public static final OptionSpec<Long> NODES = OptionSpec.integer(
                    "--nodes", 1, 1_000, "The most nodes, each a Memory Node and a Compute Node")
            .withDefault(6L);

    private ModelOptions() {}

    /**
     * The option {@code --round-trips}, which limits a run; default 1,000,000.
     *
     * @param meaning what it limits, for the help
     */
    public static OptionSpec<Long> roundTrips(String meaning) {
        return OptionSpec.integer("--round-trips", 1_000, MAX_ROUND_TRIPS, meaning)
                .withDefault(1_000_000L);
    }

    /** Whether a command line requests a simulation. */
    public static boolean areRequested(String... args) {
        List<String> words = Arrays.asList(args);
        int fabric = words.indexOf(FABRIC.name());
        return words.contains(FABRIC.name() + "=" + SIM)
                || fabric >= 0
                        && fabric + 1 < words.size()
                        && words.get(fabric + 1).equals(SIM);
    }

    /**
     * The numbers of threads that a command line asks for.
     *
     * @throws dev.remus.options.UsageException if one is out of range, or its threads do not fit onto the nodes
     */
    public static List<Integer> threads(Arguments arguments) {
        List<Integer> threads = new ArrayList<>();
        for (String word : arguments.get(THREADS)) {
            if (!word.matches("[0-9]{1,5}") || Integer.parseInt(word) < 1 || Integer.parseInt(word) > MAX_THREADS) {
                throw arguments.usageError(THREADS, "numbers from 1 to " + MAX_THREADS + ", separated by commas");
            }
            threads.add(Integer.parseInt(word));
            nodes(Integer.parseInt(word), arguments);
        }
        return threads.isEmpty() ? List.of(2) : threads;
    }

    /** The most nodes that divide a number of threads evenly. */
    public static int nodes(int threads, Arguments arguments) {
        int nodes = (int) Math.min(threads, arguments.get(NODES));
        while (threads % nodes != 0) {
            nodes--;
        }
        if (threads / nodes > MAX_THREADS_PER_NODE) {
            throw arguments.usageError(
                    NODES,
                    "a number such that " + threads + " threads are at most " + MAX_THREADS_PER_NODE + " on each node");
        }
        return nodes;
    }
}
