// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Environment;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.LocalSlabs;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.PeerState;
import dev.remus.fabric.ShadowOperations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** A simulated Compute Node's side of the network. */
final class SimComputeEndpoint implements ComputeEndpoint, SimNode {
    private static final long MAX_SKEW_NANOS = 10_000_000_000L;
    private static final long MAX_DRIFT_PER_MILLION = 20_000;
    private static final int FASTEST_STEP_LOG2 = 10;
    private static final int SLOWEST_STEP_LOG2 = 18;
    private static final int SHORTEST_OUTAGE_LOG2 = 12;
    private static final int LONGEST_OUTAGE_LOG2 = 28;
    private static final int LONGEST_JAM = 4;
    private static final long FOR_GOOD = Long.MAX_VALUE / 2;

    private final SimNetwork network;
    private final NodeId id;
    private final SimLanes lanes;
    private final Duration lossTimeout;
    private final boolean localReads;
    private final List<SimLink> links = new ArrayList<>();
    private final LocalSlabs local = new LocalSlabs(LocalBuffer::unregistered);
    private volatile boolean closed;

    /** How this node's clock differs from the virtual time. */
    private long skewNanos;

    private long driftPerMillion;

    /**
     * Joins the network.
     *
     * @param lanes those of the new node, none yet
     * @param lossTimeout how long a link may be down
     * @param localReads whether it may read words of its own Memory Node without an operation
     */
    SimComputeEndpoint(SimNetwork network, SimLanes lanes, Duration lossTimeout, boolean localReads) {
        this.network = network;
        this.id = lanes.id();
        this.lanes = lanes;
        this.lossTimeout = lossTimeout;
        this.localReads = localReads;
        network.add(lanes);
    }

    @Override
    public int node() {
        return id.node();
    }

    @Override
    public long incarnation() {
        return lanes.incarnation();
    }

    @Override
    public Link connect(int memoryNode, int count, Duration timeout) {
        if (count < 1) {
            throw new IllegalArgumentException("a link with " + count + " lanes: needs at least 1");
        }
        long deadline = network.now() + timeout.toNanos();
        Environment.Pauses pauses = network.newPauses();
        for (int attempt = 0; ; attempt++) {
            checkOpen();
            Optional<SimMemory> memory = network.published(new NodeId(id.cluster(), memoryNode));
            if (memory.isPresent()) {
                String name = "the link from " + id.node() + " to " + memoryNode;
                SimCable cable = new SimCable(network.simulator().world(), name, lossTimeout);
                SimLink link = new SimLink(network, lanes, memory.get(), cable, localReads, count);
                memory.get().join(id.node(), cable, link);
                synchronized (network.simulator()) {
                    links.add(link);
                    lanes.add(link.simLanes());
                }
                memory.get().setPeer(id.node(), PeerState.JOINED);
                return link;
            }
            if (network.now() - deadline > 0) {
                throw new NodeLostException(
                        memoryNode,
                        LossKind.NEVER_JOINED,
                        "Compute Node " + id.node() + " found no Memory Node " + memoryNode + " within "
                                + timeout.toMillis() + " ms");
            }
            pauses.pause(attempt, Long.MAX_VALUE);
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("Compute Node " + id.node() + " is closed");
        }
    }

    @Override
    public LocalBuffer allocateLocal(long bytes) {
        return local.allocate(bytes);
    }

    /** None, so that blocking operations are simulated as posted chains. */
    @Override
    public Optional<BlockingOperations> directOperations(List<Link> links) {
        return Optional.empty();
    }

    @Override
    public Optional<ShadowOperations> shadowOperations(List<Link> links) {
        return Optional.of(new SimShadow(network, id.cluster()));
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

    @Override
    public long clock(long now) {
        return now + skewNanos + now / 1_000_000 * driftPerMillion + now % 1_000_000 * driftPerMillion / 1_000_000;
    }

    @Override
    public void skewClock(SplittableRandom random) {
        skewNanos = random.nextLong(-MAX_SKEW_NANOS, MAX_SKEW_NANOS);
        driftPerMillion = random.nextLong(-MAX_DRIFT_PER_MILLION, MAX_DRIFT_PER_MILLION);
    }

    @Override
    public boolean slowDown(SplittableRandom random) {
        lanes.slowDown(1 + random.nextLong(1L << random.nextInt(FASTEST_STEP_LOG2, SLOWEST_STEP_LOG2)));
        return true;
    }

    private List<SimLane> lanesOf(Agent thread) {
        return lanes.all().stream().filter(lane -> lane.isPartOf(thread)).toList();
    }

    @Override
    public boolean breakLane(Agent thread, SplittableRandom random) {
        return onBusyLane(thread, random, lane -> lane.breakDown(random));
    }

    @Override
    public boolean jamLane(Agent thread, SplittableRandom random) {
        return onBusyLane(
                thread, random, lane -> lane.jam(2 + random.nextLong(LONGEST_JAM * lossTimeout.toNanos()), random));
    }

    private boolean onBusyLane(Agent thread, SplittableRandom random, Consumer<SimLane> action) {
        List<SimLane> candidates = lanesOf(thread);
        if (candidates.isEmpty()) {
            candidates = lanes.all().stream().filter(SimLane::hasWork).toList();
        }
        if (candidates.isEmpty()) {
            return false;
        }
        action.accept(candidates.get(random.nextInt(candidates.size())));
        return true;
    }

    @Override
    public boolean delayRequests(Agent thread, SplittableRandom random) {
        List<SimLane> candidates = lanesOf(thread);
        if (candidates.isEmpty()) {
            return false;
        }
        candidates.get(random.nextInt(candidates.size())).stall(random);
        return true;
    }

    @Override
    public boolean loseMemoryNode(Agent thread, SplittableRandom random) {
        List<SimMemory> there = links.stream()
                .map(SimLink::memory)
                .filter(memory -> !memory.isGone())
                .toList();
        if (there.isEmpty()) {
            return false;
        }
        network.end(links.stream()
                .filter(link -> link.simLanes().stream().anyMatch(lane -> lane.isPartOf(thread)))
                .map(SimLink::memory)
                .filter(memory -> !memory.isGone())
                .findFirst()
                .orElseGet(() -> there.get(random.nextInt(there.size()))));
        return true;
    }

    @Override
    public boolean takeLinkDown(Agent thread, SplittableRandom random) {
        long longest = 1L << random.nextInt(SHORTEST_OUTAGE_LOG2, LONGEST_OUTAGE_LOG2);
        return takeLinkDown(thread, Math.min(1 + random.nextLong(longest), lossTimeout.toNanos() / 2), random);
    }

    @Override
    public boolean loseLink(Agent thread, SplittableRandom random) {
        return takeLinkDown(thread, FOR_GOOD, random);
    }

    private boolean takeLinkDown(Agent thread, long nanos, SplittableRandom random) {
        List<SimLink> up = links.stream().filter(SimLink::isReachable).toList();
        if (up.isEmpty()) {
            return false;
        }
        up.stream()
                .filter(link -> link.simLanes().stream().anyMatch(lane -> lane.isPartOf(thread)))
                .findFirst()
                .orElseGet(() -> up.get(random.nextInt(up.size())))
                .goDown(nanos, random);
        return true;
    }

    @Override
    public void die(SplittableRandom random) {
        if (!closed) {
            closed = true;
            for (SimLink link : links) {
                link.orphan(random);
                link.memory().setPeer(id.node(), PeerState.LOST);
            }
            network.remove(lanes);
        }
    }

    // ------------------------------------------------------------------------------------------------ leaving

    private void leave(PeerState how) {
        if (!closed) {
            closed = true;
            for (SimLink link : links) {
                PeerState seen = link.isLost() ? PeerState.LOST : how; // no farewell arrives over a lost link
                link.close();
                link.memory().setPeer(id.node(), seen);
            }
            network.remove(lanes);
        }
    }
}
