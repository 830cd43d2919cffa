package dev.remus.fabric.verbs;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.PeerState;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The Compute Nodes that have connected to a Memory Node. Only its {@link Acceptor} changes their states; any thread
 * may read them, and ask that a run is cut off.
 */
final class ConnectedNodes {
    /**
     * The state of one Compute Node.
     *
     * @param run the run of the latest process
     * @param connections how many control connections it has
     * @param loss how it was lost, if it was
     */
    private record Entry(PeerState state, long run, int connections, LossKind loss) {}

    private static final Entry NEVER_SEEN = new Entry(PeerState.ABSENT, 0, 0, LossKind.ENDED);

    private final Map<Integer, Entry> nodes = new ConcurrentHashMap<>();

    /** The runs to cut off, and whether that is done. */
    private final Map<Long, Boolean> cutOff = new ConcurrentHashMap<>();

    private volatile @Nullable Exception failure;

    PeerState state(int computeNode) {
        if (failure != null) {
            throw new FabricException(
                    "this Memory Node can no longer accept or observe connections: " + failure.getMessage(), failure);
        }
        return nodes.getOrDefault(computeNode, NEVER_SEEN).state;
    }

    LossKind lossOf(int computeNode) {
        return nodes.getOrDefault(computeNode, NEVER_SEEN).loss;
    }

    /** Whether a process may join under this id: not while another process uses it. */
    boolean mayJoin(int computeNode, long run) {
        Entry entry = nodes.getOrDefault(computeNode, NEVER_SEEN);
        return entry.connections == 0 || entry.run == run;
    }

    /** The run of the latest process; 0 if none has connected. */
    long run(int computeNode) {
        return nodes.getOrDefault(computeNode, NEVER_SEEN).run;
    }

    /**
     * Asks that a run is cut off: no connection of it may stay or begin.
     *
     * @return whether that is done
     */
    boolean cutOff(long run) {
        return Boolean.TRUE.equals(cutOff.putIfAbsent(run, false));
    }

    /** Whether a run is to be cut off. It must not come back. */
    boolean isCutOff(long run) {
        return cutOff.containsKey(run);
    }

    /** The runs that are to be cut off, and still may have connections. */
    List<Long> toCutOff() {
        return cutOff.containsValue(false)
                ? cutOff.entrySet().stream()
                        .filter(entry -> !entry.getValue())
                        .map(Map.Entry::getKey)
                        .toList()
                : List.of();
    }

    /** A run has no connection any more, and will get none. */
    void hasCutOff(long run) {
        cutOff.put(run, true);
    }

    void joined(int computeNode, long run) {
        Entry entry = nodes.getOrDefault(computeNode, NEVER_SEEN);
        nodes.put(computeNode, new Entry(PeerState.JOINED, run, entry.connections + 1, LossKind.ENDED));
    }

    /**
     * Records the end of a control connection.
     *
     * @param loss the kind of loss, if the connection did not end in good order
     */
    void left(int computeNode, boolean inGoodOrder, LossKind loss) {
        Entry entry = Objects.requireNonNull(nodes.get(computeNode), "a node leaves that has not joined");
        int connections = entry.connections - 1;
        PeerState state = inGoodOrder ? PeerState.FINISHED : PeerState.LOST;
        nodes.put(computeNode, new Entry(connections > 0 ? PeerState.JOINED : state, entry.run, connections, loss));
    }

    /** Makes {@link #state} throw from now on, because connections are no longer observed. */
    void fail(Exception reason) {
        failure = reason;
    }
}
