// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import dev.remus.fabric.shm.LocalClusters;
import dev.remus.fabric.shm.LocalClusters.Look;
import dev.remus.fabric.shm.LocalClusters.Lost;
import dev.remus.fabric.shm.LocalClusters.Node;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The text that shows a cluster, in lines of at most 80 characters. */
final class Screen {
    private static final int BAR = 30;
    private static final int WIDTH = 80;
    static final String BOLD = "\033[1m";
    static final String RED = "\033[31m";
    static final String PLAIN = "\033[0m";

    private final boolean coloured;
    private final Speeds speeds = new Speeds();
    private final LossTimes losses = new LossTimes();
    private final List<String> lines = new ArrayList<>();
    private final Locks locks;
    private final Epochs epochs;

    /**
     * @param locks the locks of the cluster
     * @param epochs its epoch
     * @param coloured whether to use colours
     */
    Screen(Locks locks, Epochs epochs, boolean coloured) {
        this.locks = locks;
        this.epochs = epochs;
        this.coloured = coloured;
    }

    /** Whether every running Compute Node has posted two notices, which give its speed. */
    boolean hasSpeeds(Look look) {
        return speeds.areKnown(look);
    }

    /** Records the counts of a cluster at a time of day, so that later ones give its speed, and when nodes are lost. */
    void note(Look look, LocalTime now) {
        speeds.note(look);
        losses.note(look, now);
    }

    /** The lines, without line feeds. */
    List<String> show(Look look) {
        lines.clear();
        lines.add(paint(BOLD, "cluster " + look.name()) + ": " + nodes(look));
        look.lost().ifPresent(lost -> lines.add(paint(RED, describe(lost))));
        figures(look);
        return List.copyOf(lines);
    }

    /**
     * The lines for a cluster that has ended: its last figures.
     *
     * @param lost the lost node, if any, with the kind of loss
     * @param when the time of day at which it ended
     */
    List<String> showEnded(Look last, Optional<Lost> lost, LocalTime when) {
        lines.clear();
        lines.add(paint(BOLD, "cluster " + last.name()) + ": " + nodes(last));
        String ended = "ended at " + LossTimes.CLOCK.format(when);
        lines.add(lost.map(node -> paint(RED, ended + ": " + describe(node))).orElse(ended) + "; its last figures:");
        figures(last);
        return List.copyOf(lines);
    }

    static String describe(Lost lost) {
        return lost.kind().describe("node " + lost.node());
    }

    static String nodes(Look look) {
        long computeNodes = look.nodes().stream().filter(n -> !n.isMemoryNode()).count();
        return count(look.nodes().size() - computeNodes, "Memory Node") + ", " + count(computeNodes, "Compute Node");
    }

    private void figures(Look look) {
        lines.add("");
        lines.add(paint(
                BOLD,
                String.format(
                        "%-22s %10s %10s %8s %8s %8s %8s",
                        "remote operations/s", "all", "READ", "WRITE", "CAS", "FAA", "trips")));
        look.nodes().stream().filter(n -> !n.isMemoryNode()).forEach(this::node);
        Epochs.stalls(look).forEach(line -> lines.add(paint(RED, line)));
        lines.add("");
        lines.add(paint(BOLD, "memory") + " allocated so far, including freed blocks");
        look.nodes().stream()
                .filter(n -> n.isMemoryNode() && n.state() != LocalClusters.State.RUNNING)
                .forEach(n -> lines.add("  node " + n.id() + "  " + paint(RED, state(n))));
        look.segments().forEach(this::segment);
        section(epochs.show(look));
        section(locks.show());
        section(NamedLocks.of(look, locks.areSampled() ? Locks.SAMPLED : Set.of())
                .show());
    }

    /** Adds lines below a heading, unless there are none. */
    private void section(List<String> section) {
        if (!section.isEmpty()) {
            lines.add("");
            lines.add(paint(BOLD, section.get(0)));
            lines.addAll(section.subList(1, section.size()));
        }
    }

    private static String count(long nodes, String what) {
        return nodes + " " + what + (nodes == 1 ? "" : "s");
    }

    private void node(Node node) {
        Map<Integer, Counts> threads = speeds.ofThreads(node.id());
        Counts sum = speeds.of(node.id()).orElse(Counts.NONE);
        switch (node.state()) {
            case LOST -> {
                lines.add("node " + node.id() + "  " + paint(RED, state(node)) + " (process " + node.pid() + ")");
                reason(node).ifPresent(lines::add);
                if (!threads.isEmpty()) {
                    lines.add(row("  its last figures", sum));
                }
            }
            case STOPPED ->
                lines.add("node " + node.id() + "  " + paint(RED, "STOPPED") + " (process " + node.pid()
                        + "; kill -CONT " + node.pid() + " continues it)");
            case FINISHED -> lines.add("node " + node.id() + "  finished");
            case RUNNING -> {
                String name = "node " + node.id() + ", process " + node.pid();
                if (threads.isEmpty()) {
                    lines.add(name + ": no figures yet");
                } else {
                    lines.add(paint(BOLD, row(name, sum)));
                    speeds.work(node.id()).ifPresent(done -> lines.add(done.toString()));
                    threads.forEach((thread, counts) -> lines.add(row("  thread " + thread, counts)));
                }
            }
        }
    }

    private String state(Node node) {
        return node.state() == LocalClusters.State.LOST
                ? losses.text(node)
                : node.state().name();
    }

    /** A line with the reason of a node's failure, if it has one. */
    static Optional<String> reason(Node node) {
        return Optional.ofNullable(node.notice().get("failed"))
                .filter(reason -> !reason.isEmpty())
                .map(reason -> "  failed: " + reason)
                .map(line -> line.length() <= WIDTH ? line : line.substring(0, WIDTH - 3) + "...");
    }

    private static String row(String name, Counts c) {
        return String.format(
                Locale.ROOT,
                "%-22s %10s %10s %8s %8s %8s %8s",
                name,
                count(c.operations()),
                count(c.reads()),
                count(c.writes()),
                count(c.swaps()),
                count(c.adds()),
                count(c.trips()));
    }

    /** A number short enough for a column. */
    static String count(double value) {
        return value >= 1e7
                ? String.format(Locale.ROOT, "%.1fM", value / 1e6)
                : value >= 1e5
                        ? String.format(Locale.ROOT, "%.0fk", value / 1e3)
                        : String.format(Locale.ROOT, "%.0f", value);
    }

    private void segment(LocalClusters.Segment segment) {
        double share = (double) segment.used() / Math.max(1, segment.bytes());
        int full = (int) Math.round(share * BAR);
        lines.add(String.format(
                Locale.ROOT,
                "  node %d, segment %-3d [%s%s] %3.0f %%  %,d of %,d KiB",
                segment.memoryNode(),
                segment.segment(),
                "#".repeat(full),
                ".".repeat(BAR - full),
                100 * share,
                segment.used() >> 10,
                (segment.bytes() + 1023) >> 10));
    }

    private String paint(String colour, String text) {
        return coloured ? colour + text + PLAIN : text;
    }
}
