// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import dev.remus.fabric.shm.LocalClusters.Look;
import dev.remus.fabric.shm.LocalClusters.Lost;
import dev.remus.fabric.shm.LocalClusters.Node;
import dev.remus.fabric.shm.LocalClusters.Segment;
import dev.remus.fabric.shm.LocalClusters.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The text that shows a cluster on several machines: a table with a line for each node, at most 80 characters wide. */
final class WholeScreen {
    private static final int WIDTH = 80;
    private static final int MACHINE = 13;
    private static final String ROW = "%4s %-" + MACHINE + "s %-9s %12s %10s %10s %7s %8s";
    private static final String NONE = "-";

    /** A line of the table: the parts of a node. */
    private static final class Row {
        Optional<Node> memory = Optional.empty();
        Optional<Node> compute = Optional.empty();

        Node either() {
            return compute.or(() -> memory).orElseThrow();
        }

        boolean is(State state) {
            return memory.filter(n -> n.state() == state).isPresent()
                    || compute.filter(n -> n.state() == state).isPresent();
        }

        /** The part that is lost, if one is. */
        Optional<Node> lost() {
            return compute.filter(n -> n.state() == State.LOST).or(() -> memory.filter(n -> n.state() == State.LOST));
        }

        State state() {
            return is(State.LOST) ? State.LOST : is(State.STOPPED) ? State.STOPPED : either().state();
        }
    }

    private final Map<Integer, String> machines;
    private final boolean coloured;

    /** @param machines the names of the machines, by the ids of their nodes */
    WholeScreen(Map<Integer, String> machines, boolean coloured) {
        this.machines = Map.copyOf(machines);
        this.coloured = coloured;
    }

    /**
     * The lines, without line feeds.
     *
     * @param ended when the cluster ended, as text; empty while it runs
     * @param old the ids of the machines that have not reported of late
     */
    List<String> show(WholeCluster cluster, Optional<String> ended, List<Integer> old) {
        Look look = cluster.look();
        List<String> lines = new ArrayList<>();
        lines.add(
                paint(Screen.BOLD, "cluster " + look.name()) + " over " + cluster.fabric() + ": " + Screen.nodes(look));
        ended.ifPresent(time -> lines.add("ended at " + time + "; its last figures:"));
        for (Lost lost : cluster.lost()) {
            lines.add(paint(Screen.RED, Screen.describe(lost)));
        }
        table(cluster, old, lines);
        Epochs.stalls(look).forEach(line -> lines.add(paint(Screen.RED, line)));
        section(cluster.epochs().show(look), lines);
        section(NamedLocks.of(look, Set.of()).show(), lines);
        return lines;
    }

    private void table(WholeCluster cluster, List<Integer> old, List<String> lines) {
        Look look = cluster.look();
        Map<Integer, Row> rows = new TreeMap<>();
        for (Node node : look.nodes()) {
            Row row = rows.computeIfAbsent(node.id(), id -> new Row());
            if (node.isMemoryNode()) {
                row.memory = Optional.of(node);
            } else {
                row.compute = Optional.of(node);
            }
        }
        lines.add("");
        lines.add(paint(
                Screen.BOLD,
                String.format(
                        ROW, "node", "machine", "state", "structures/s", "remote/s", "trips/s", "memory", "retired")));
        double structures = 0;
        Counts sum = Counts.NONE;
        long retired = 0;
        for (Map.Entry<Integer, Row> entry : rows.entrySet()) {
            int id = entry.getKey();
            // The row of a lost node keeps its last figures, which are no part of the sums.
            Optional<Node> shown = entry.getValue()
                    .compute
                    .filter(node -> node.state() == State.RUNNING || node.state() == State.LOST);
            Optional<Counts> counts = shown.flatMap(node -> cluster.speeds().of(id));
            Optional<OperationRate> work =
                    shown.flatMap(node -> cluster.speeds().work(id));
            Optional<Long> blocks = shown.flatMap(node -> Epochs.retiredBlocks(node.notice()));
            if (shown.filter(node -> node.state() == State.RUNNING).isPresent()) {
                sum = sum.plus(counts.orElse(Counts.NONE));
                structures += work.map(OperationRate::perSecond).orElse(0.0);
                retired += blocks.orElse(0L);
            }
            String state = old.contains(id) && entry.getValue().state() == State.RUNNING
                    ? "no news"
                    : state(entry.getValue().state());
            String line = row(
                    Integer.toString(id),
                    machine(id),
                    state,
                    work.map(OperationRate::perSecond),
                    counts,
                    memory(id, look.segments()),
                    blocks);
            lines.add(state.equals("running") || state.equals("finished") ? line : paint(Screen.RED, line));
            Optional<Node> lost = entry.getValue().lost();
            lost.map(cluster.losses()::text)
                    .filter(text -> !text.equals(state))
                    .ifPresent(text -> lines.add("  " + text));
            lost.flatMap(Screen::reason).ifPresent(lines::add);
        }
        lines.add(paint(
                Screen.BOLD,
                row("all", "", "", Optional.of(structures), Optional.of(sum), NONE, Optional.of(retired))));
    }

    private static String state(State state) {
        String word = state.name();
        return state == State.LOST || state == State.STOPPED ? word : word.toLowerCase(Locale.ROOT);
    }

    private String machine(int id) {
        String name = machines.getOrDefault(id, NONE);
        return name.length() <= MACHINE ? name : name.substring(0, MACHINE - 1) + "~";
    }

    private static String row(
            String node,
            String machine,
            String state,
            Optional<Double> structures,
            Optional<Counts> counts,
            String memory,
            Optional<Long> retired) {
        return String.format(
                        ROW,
                        node,
                        machine,
                        state,
                        structures.map(Screen::count).orElse(NONE),
                        counts.map(Counts::operations).map(Screen::count).orElse(NONE),
                        counts.map(Counts::trips).map(Screen::count).orElse(NONE),
                        memory,
                        retired.map(blocks -> Screen.count((double) blocks)).orElse(NONE))
                .stripTrailing();
    }

    /** The share of a Memory Node's memory that was allocated, including freed blocks. */
    private static String memory(int node, List<Segment> segments) {
        long used = 0;
        long bytes = 0;
        for (Segment segment : segments) {
            if (segment.memoryNode() == node) {
                used += segment.used();
                bytes += segment.bytes();
            }
        }
        return bytes == 0 ? NONE : String.format(Locale.ROOT, "%.0f %%", 100.0 * used / bytes);
    }

    /** A line about a machine that does not report. */
    String trouble(int id, String trouble) {
        String line = "node " + id + ", " + machines.getOrDefault(id, NONE) + ": " + trouble;
        return paint(Screen.RED, line.length() <= WIDTH ? line : line.substring(0, WIDTH - 3) + "...");
    }

    private void section(List<String> section, List<String> lines) {
        if (!section.isEmpty()) {
            lines.add("");
            lines.add(paint(Screen.BOLD, section.get(0)));
            lines.addAll(section.subList(1, section.size()));
        }
    }

    private String paint(String colour, String text) {
        return coloured ? colour + text + Screen.PLAIN : text;
    }
}
