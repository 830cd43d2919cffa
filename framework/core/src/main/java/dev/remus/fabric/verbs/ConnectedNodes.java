// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.PeerState;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
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

    /** The most connections of one Compute Node: several times those that all lanes need. */
    static final int MOST_CONNECTIONS = 1024;

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

    /**
     * The answer to a process that has proved its membership. No other process may use its id, its run must not have
     * been cut off, and it may not have too many connections beside the one that this one replaces, if any.
     *
     * @param connections the HELLOs of all open connections
     */
    Handshake.Answer answer(Handshake.Hello hello, Stream<Handshake.Hello> connections) {
        if (cutOff.containsKey(hello.run())) {
            return Handshake.Answer.CUT_OFF;
        }
        Entry entry = nodes.getOrDefault(hello.computeNode(), NEVER_SEEN);
        if (entry.connections > 0 && entry.run != hello.run()) {
            return Handshake.Answer.ID_TAKEN;
        }
        long others = connections
                .filter(other -> other.computeNode() == hello.computeNode() && !hello.replaces(other))
                .count();
        return others < MOST_CONNECTIONS ? Handshake.Answer.WELCOME : Handshake.Answer.TOO_MANY;
    }

    /** The run of the latest process; 0 if none has connected. */
    long run(int computeNode) {
        return nodes.getOrDefault(computeNode, NEVER_SEEN).run;
    }

    /**
     * Asks that a run is cut off: no connection of it may stay or begin, and it must not come back.
     *
     * @return whether that is done
     */
    boolean cutOff(long run) {
        return Boolean.TRUE.equals(cutOff.putIfAbsent(run, false));
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
