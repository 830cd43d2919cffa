// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import dev.remus.fabric.LossKind;
import dev.remus.fabric.Notices;
import dev.remus.fabric.Notices.Found;
import dev.remus.fabric.shm.LocalClusters;
import dev.remus.fabric.shm.LocalClusters.Look;
import dev.remus.fabric.shm.LocalClusters.Lost;
import dev.remus.fabric.shm.LocalClusters.Node;
import dev.remus.fabric.shm.LocalClusters.Segment;
import dev.remus.fabric.shm.LocalClusters.State;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a machine shows of a cluster at one moment: on the {@code shm} fabric all of it, else the nodes that run on this
 * machine, from their notices.
 *
 * @param fabric the name of the fabric
 * @param look the nodes and the memory
 */
record Sighting(String fabric, Look look) {
    /** The fabric whose memory can be read from outside. */
    static final String SHM = "shm";

    /** A name that no other cluster of the machine has. */
    String key() {
        return key(fabric, look.name());
    }

    static String key(String fabric, String cluster) {
        return fabric + " " + cluster;
    }

    /** All clusters of this user on this machine, with those of which no node lives any more. */
    static List<Sighting> all() throws IOException {
        List<Sighting> all = new ArrayList<>();
        for (String name : LocalClusters.names()) {
            LocalClusters.look(name).ifPresent(look -> all.add(new Sighting(SHM, look)));
        }
        all.addAll(ofNotices());
        return all;
    }

    /** The clusters of fabrics other than {@code shm}. */
    static List<Sighting> ofNotices() throws IOException {
        Map<String, List<Found>> clusters = new TreeMap<>();
        for (Found found : Notices.all()) {
            clusters.computeIfAbsent(key(found.fabric(), found.cluster()), k -> new ArrayList<>())
                    .add(found);
        }
        return clusters.values().stream().map(Sighting::of).toList();
    }

    private static Sighting of(List<Found> cluster) {
        List<Node> nodes = cluster.stream()
                .sorted(Comparator.comparing(Found::isMemoryNode).reversed().thenComparing(Found::node))
                .map(found -> new Node(found.node(), found.isMemoryNode(), state(found), found.pid(), found.notice()))
                .toList();
        String name = cluster.get(0).cluster();
        return new Sighting(cluster.get(0).fabric(), new Look(name, nodes, segments(nodes), lost(nodes)));
    }

    private static State state(Found found) {
        return !found.isAlive() ? State.LOST : found.isStopped() ? State.STOPPED : State.RUNNING;
    }

    /** Whether a node of the cluster lives. */
    boolean isAlive() {
        return look.nodes().stream().anyMatch(node -> node.state() == State.RUNNING || node.state() == State.STOPPED);
    }

    /** The segments in the notices of the Memory Nodes. */
    private static List<Segment> segments(List<Node> nodes) {
        List<Segment> segments = new ArrayList<>();
        for (Node node : nodes) {
            new TreeMap<>(node.notice()).forEach((name, value) -> {
                String[] words = value.split(" ");
                if (node.isMemoryNode() && name.startsWith("segment.") && words.length == 2) {
                    segments.add(
                            new Segment(node.id(), number(name), Long.parseLong(words[0]), Long.parseLong(words[1])));
                }
            });
        }
        segments.sort(Comparator.comparingInt(Segment::memoryNode).thenComparingInt(Segment::segment));
        return segments;
    }

    /** The number at the end of a name, as in {@code segment.3}. */
    static int number(String name) {
        return Integer.parseInt(name.substring(name.indexOf('.') + 1));
    }

    private static Optional<Lost> lost(List<Node> nodes) {
        return nodes.stream().flatMap(node -> losses(node).stream()).findFirst();
    }

    /** The losses in the notice of a Memory Node. */
    static List<Lost> losses(Node node) {
        return node.notice().entrySet().stream()
                .filter(entry -> node.isMemoryNode() && entry.getKey().startsWith("lost."))
                .sorted(Map.Entry.comparingByKey())
                .flatMap(entry -> Arrays.stream(LossKind.values())
                        .filter(kind -> kind.toString().equals(entry.getValue()))
                        .map(kind -> new Lost(number(entry.getKey()), kind)))
                .toList();
    }

    /** The epoch and the announcements in the notices of the Memory Nodes, if they are there, as a reader of them. */
    static Optional<long[]> epochs(Look look, int count) {
        return look.nodes().stream()
                .flatMap(node -> Optional.ofNullable(node.notice().get("epochs")).stream())
                .map(text -> Arrays.stream(text.split(" "))
                        .mapToLong(Long::parseLong)
                        .toArray())
                .filter(words -> words.length >= count)
                .findFirst();
    }
}
