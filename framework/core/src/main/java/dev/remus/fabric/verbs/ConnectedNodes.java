package dev.remus.fabric.verbs;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.PeerState;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The Compute Nodes that have connected to a Memory Node. Only its {@link Acceptor} changes it; any thread may read it.
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

    /** Whether this run is lost because it was unreachable. It must not come back. */
    boolean isGivenUp(int computeNode, long run) {
        Entry entry = nodes.getOrDefault(computeNode, NEVER_SEEN);
        return entry.run == run && entry.state == PeerState.LOST && entry.loss == LossKind.UNREACHABLE;
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
