// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import dev.remus.fabric.shm.LocalClusters.Look;
import dev.remus.fabric.shm.LocalClusters.Lost;
import dev.remus.fabric.shm.LocalClusters.Node;
import dev.remus.fabric.shm.LocalClusters.Segment;
import dev.remus.fabric.shm.LocalClusters.State;
import java.io.IOException;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A cluster whose nodes run on several machines, put together from what each machine has seen. Of two machines that
 * show the same node, as on the {@code shm} fabric, the one with the id of the node counts.
 */
final class WholeCluster {
    /**
     * What a machine has seen of this cluster.
     *
     * @param machine the id of the machine
     * @param isOld whether the machine has not reported of late
     * @param look the nodes and the memory
     */
    record Report(int machine, boolean isOld, Look look) {}

    /** A node's part as a Memory Node, or as a Compute Node. */
    private record Part(boolean isMemoryNode, int id) {}

    private static final String PEER = "peer.";

    private final String fabric;
    private final String name;
    private final Speeds speeds = new Speeds();
    private final LossTimes losses = new LossTimes();
    private final Epochs epochs = new Epochs();
    private final Map<Integer, Lost> lost = new LinkedHashMap<>();
    private final Map<Part, Node> nodes = new HashMap<>();
    private Look look;
    private String epochNanos = "";
    private boolean hasLived;
    private boolean isAlive;

    WholeCluster(String fabric, String name) {
        this.fabric = fabric;
        this.name = name;
        this.look = new Look(name, List.of(), List.of(), Optional.empty());
    }

    /** Takes what all machines have seen. */
    void update(List<Report> reports) throws IOException {
        Map<Part, Node> found = new HashMap<>();
        Map<Integer, List<Segment>> segments = new TreeMap<>();
        Map<Integer, Lost> before = new LinkedHashMap<>(lost);
        for (Report report : reports) {
            for (Node node : report.look().nodes()) {
                Part part = new Part(node.isMemoryNode(), node.id());
                if (!found.containsKey(part) || report.machine() == node.id()) {
                    found.put(part, node);
                    if (node.isMemoryNode()) {
                        segments.put(node.id(), segmentsOf(node.id(), report.look()));
                    }
                }
            }
            report.look().lost().ifPresent(loss -> lost.putIfAbsent(loss.node(), loss));
        }
        addPeers(found, reports);
        for (Map.Entry<Part, Node> known : nodes.entrySet()) {
            found.computeIfAbsent(known.getKey(), part -> gone(known.getValue()));
        }
        nodes.putAll(found);
        isAlive = found.values().stream().anyMatch(n -> n.state() == State.RUNNING || n.state() == State.STOPPED);
        hasLived |= isAlive;
        if (isAlive) {
            show(segments.values().stream().flatMap(List::stream).toList());
        } else if (!lost.equals(before)) {
            look = new Look(name, look.nodes(), look.segments(), firstLost());
        }
    }

    private static List<Segment> segmentsOf(int node, Look look) {
        return look.segments().stream().filter(s -> s.memoryNode() == node).toList();
    }

    /** A node that no machine shows any more has left in good order: that of a lost one stays. */
    private static Node gone(Node node) {
        State state = node.state() == State.LOST ? State.LOST : State.FINISHED;
        return new Node(node.id(), node.isMemoryNode(), state, node.pid(), node.notice());
    }

    /** Adds the Compute Nodes that the Memory Nodes know to have left or to be lost. */
    private void addPeers(Map<Part, Node> found, List<Report> reports) {
        List<Integer> old =
                reports.stream().filter(Report::isOld).map(Report::machine).toList();
        for (Node memory : List.copyOf(found.values())) {
            if (!memory.isMemoryNode() || old.contains(memory.id())) {
                continue;
            }
            Sighting.losses(memory).forEach(loss -> lost.putIfAbsent(loss.node(), loss));
            memory.notice().forEach((key, value) -> {
                boolean hasLeft = value.equals("finished") || value.equals("lost");
                if (key.startsWith(PEER) && hasLeft) {
                    int id = Sighting.number(key);
                    Part part = new Part(false, id);
                    Node seen = found.get(part);
                    if (seen == null || old.contains(id)) {
                        State state = value.equals("lost") ? State.LOST : State.FINISHED;
                        found.put(part, new Node(id, false, state, "", seen == null ? Map.of() : seen.notice()));
                    }
                }
            });
        }
    }

    private void show(List<Segment> segments) throws IOException {
        List<Node> sorted = nodes.values().stream()
                .sorted(Comparator.comparing(Node::isMemoryNode).reversed().thenComparing(Node::id))
                .toList();
        look = new Look(name, sorted, new ArrayList<>(segments), firstLost());
        speeds.note(look);
        losses.note(look, LocalTime.now());
        Optional<String> nanos = look.nodes().stream()
                .filter(node -> node.notice().containsKey("epochs"))
                .map(node -> node.notice().getOrDefault("nanos", ""))
                .findFirst();
        if (nanos.isPresent() && !nanos.get().equals(epochNanos)) {
            epochNanos = nanos.get();
            epochs.poll(look, (pointer, count) -> Sighting.epochs(look, count), Long.parseLong(epochNanos));
        }
    }

    private Optional<Lost> firstLost() {
        return lost.values().stream().findFirst();
    }

    /** Whether a node runs, as far as is known. */
    boolean isAlive() {
        return isAlive;
    }

    /** Whether a node has run since the first report. */
    boolean hasLived() {
        return hasLived;
    }

    String fabric() {
        return fabric;
    }

    /** The newest state with a running node. */
    Look look() {
        return look;
    }

    /** The lost nodes, in the order in which they were seen. */
    List<Lost> lost() {
        return List.copyOf(lost.values());
    }

    LossTimes losses() {
        return losses;
    }

    Speeds speeds() {
        return speeds;
    }

    Epochs epochs() {
        return epochs;
    }
}
