package dev.remus.fabric.verbs;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.PeerState;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The Compute Nodes that a Memory Node has seen. Only its {@link Reception} changes it; any thread may read it. */
final class Guests {
    /**
     * The state of one Compute Node.
     *
     * @param run the run of the latest process
     * @param connections how many control connections it has
     * @param loss how it was lost, if it was
     */
    private record Guest(PeerState state, long run, int connections, LossKind loss) {}

    private static final Guest NOBODY = new Guest(PeerState.ABSENT, 0, 0, LossKind.ENDED);

    private final Map<Integer, Guest> guests = new ConcurrentHashMap<>();
    private volatile @Nullable Exception blind;

    PeerState state(int computeNode) {
        if (blind != null) {
            throw new FabricException("this Memory Node no longer sees who connects: " + blind.getMessage(), blind);
        }
        return guests.getOrDefault(computeNode, NOBODY).state;
    }

    LossKind lossOf(int computeNode) {
        return guests.getOrDefault(computeNode, NOBODY).loss;
    }

    /** Whether a process may join under this id: not while another process uses it. */
    boolean mayJoin(int computeNode, long run) {
        Guest guest = guests.getOrDefault(computeNode, NOBODY);
        return guest.connections == 0 || guest.run == run;
    }

    void joined(int computeNode, long run) {
        Guest guest = guests.getOrDefault(computeNode, NOBODY);
        guests.put(computeNode, new Guest(PeerState.JOINED, run, guest.connections + 1, LossKind.ENDED));
    }

    /**
     * Records the end of a control connection.
     *
     * @param loss the kind of loss, if the connection did not end in good order
     */
    void left(int computeNode, boolean inGoodOrder, LossKind loss) {
        Guest guest = Objects.requireNonNull(guests.get(computeNode), "who leaves has joined");
        int connections = guest.connections - 1;
        PeerState state = inGoodOrder ? PeerState.FINISHED : PeerState.LOST;
        guests.put(computeNode, new Guest(connections > 0 ? PeerState.JOINED : state, guest.run, connections, loss));
    }

    /** Makes {@link #state} fail from now on: connections are no longer observed. */
    void goBlind(Exception reason) {
        blind = reason;
    }
}
