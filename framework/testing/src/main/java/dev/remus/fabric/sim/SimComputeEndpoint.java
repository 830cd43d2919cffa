package dev.remus.fabric.sim;

import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalMemory;
import dev.remus.fabric.LocalSlabs;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.PeerState;
import dev.remus.fabric.RemoteMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** A simulated Compute Node's side of the fabric. */
final class SimComputeEndpoint implements ComputeEndpoint {
    private static final long MOST_SKEW_NANOS = 10_000_000_000L;
    private static final long MOST_DRIFT_PER_MILLION = 20_000;
    private static final int FASTEST_STEP_LOG2 = 10;
    private static final int SLOWEST_STEP_LOG2 = 18;

    private final SimFabric fabric;
    private final SimFabric.Id id;
    private final List<SimLink> links = new ArrayList<>();
    private final LocalSlabs local = new LocalSlabs(LocalMemory::unregistered);
    private volatile boolean closed;

    /** How this node's clock differs from the virtual time. */
    private long skewNanos;

    private long driftPerMillion;

    /** How much longer than usual its lanes take for each step. */
    private long slowness;

    SimComputeEndpoint(SimFabric fabric, SimFabric.Id id) {
        this.fabric = fabric;
        this.id = id;
    }

    SimFabric.Id id() {
        return id;
    }

    @Override
    public int node() {
        return id.node();
    }

    List<SimLink> links() {
        return links;
    }

    @Override
    public Link connect(int memoryNode, int lanes, Duration timeout) {
        if (lanes < 1) {
            throw new IllegalArgumentException("a link with " + lanes + " lanes: needs at least 1");
        }
        long deadline = fabric.now() + timeout.toNanos();
        for (int attempt = 0; ; attempt++) {
            checkOpen();
            Optional<SimMemoryEndpoint> memory = fabric.published(new SimFabric.Id(id.cluster(), memoryNode));
            if (memory.isPresent()) {
                SimLink link = new SimLink(fabric, this, memory.get(), lanes);
                synchronized (fabric.simulator()) {
                    links.add(link);
                }
                memory.get().setPeer(id.node(), PeerState.JOINED);
                return link;
            }
            if (fabric.now() - deadline > 0) {
                throw new NodeLostException(
                        memoryNode,
                        LossKind.NEVER_JOINED,
                        "Compute Node " + id.node() + " found no Memory Node " + memoryNode + " within "
                                + timeout.toMillis() + " ms");
            }
            fabric.pause(attempt);
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("Compute Node " + id.node() + " is closed");
        }
    }

    @Override
    public LocalMemory allocateLocal(long bytes) {
        return local.allocate(bytes);
    }

    /** None: the blocking operations are to be simulated as what they are, posted chains. */
    @Override
    public Optional<RemoteMemory> directMemory(List<Link> links) {
        return Optional.empty();
    }

    @Override
    public void abandon() {
        leave(PeerState.LOST);
    }

    @Override
    public void close() {
        leave(PeerState.FINISHED);
    }

    // ------------------------------------------------------------------------------------------------ faults

    /** What this node's clock shows. */
    long clock(long now) {
        return now + skewNanos + now / 1_000_000 * driftPerMillion + now % 1_000_000 * driftPerMillion / 1_000_000;
    }

    void skewClock(SplittableRandom random) {
        skewNanos = random.nextLong(-MOST_SKEW_NANOS, MOST_SKEW_NANOS);
        driftPerMillion = random.nextLong(-MOST_DRIFT_PER_MILLION, MOST_DRIFT_PER_MILLION);
    }

    long slowness() {
        return slowness;
    }

    boolean slowDown(SplittableRandom random) {
        slowness = 1 + random.nextLong(1L << random.nextInt(FASTEST_STEP_LOG2, SLOWEST_STEP_LOG2));
        return true;
    }

    private List<SimLane> lanes() {
        return links.stream().flatMap(link -> link.simLanes().stream()).toList();
    }

    /** Breaks a lane: one that the thread waits for, else one that is busy, if there is one. */
    boolean breakLane(SimTask thread, SplittableRandom random) {
        List<SimLane> lanes =
                lanes().stream().filter(lane -> lane.isPartOf(thread)).toList();
        if (lanes.isEmpty()) {
            lanes = lanes().stream().filter(SimLane::hasWork).toList();
        }
        if (lanes.isEmpty()) {
            return false;
        }
        lanes.get(random.nextInt(lanes.size())).breakDown(random);
        return true;
    }

    /** Lets a lane that the thread waits for stand still until others come to the same words; false if there is none. */
    boolean delayRequests(SimTask thread, SplittableRandom random) {
        List<SimLane> lanes =
                lanes().stream().filter(lane -> lane.isPartOf(thread)).toList();
        if (lanes.isEmpty()) {
            return false;
        }
        lanes.get(random.nextInt(lanes.size())).comeLate(random);
        return true;
    }

    /** Ends a Memory Node: the one that the thread waits for, if it does, else any. */
    boolean loseMemoryNode(SimTask thread, SplittableRandom random) {
        List<SimMemoryEndpoint> there = links.stream()
                .map(SimLink::memory)
                .filter(memory -> !memory.isGone())
                .toList();
        if (there.isEmpty()) {
            return false;
        }
        links.stream()
                .filter(link -> link.simLanes().stream().anyMatch(lane -> lane.isPartOf(thread)))
                .map(SimLink::memory)
                .filter(memory -> !memory.isGone())
                .findFirst()
                .orElseGet(() -> there.get(random.nextInt(there.size())))
                .close();
        return true;
    }

    /** This node's process is killed. */
    void die(SplittableRandom random) {
        if (!closed) {
            lanes().forEach(lane -> lane.breakDown(random));
            leave(PeerState.LOST);
        }
    }

    // ------------------------------------------------------------------------------------------------ leaving

    private void leave(PeerState how) {
        if (!closed) {
            closed = true;
            for (SimLink link : links) {
                link.close();
                link.memory().setPeer(id.node(), how);
            }
            fabric.remove(this);
        }
    }
}
