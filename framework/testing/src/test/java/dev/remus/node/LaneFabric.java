// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Environment;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.Lane;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.RealEnvironment;
import dev.remus.fabric.RemoteSegment;
import dev.remus.fabric.shm.ShmFabric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Shared memory without its direct operations: everything uses lanes, which may be wrapped. */
final class LaneFabric implements Fabric {
    private final Fabric shm = new ShmFabric();
    private final Function<Lane, Lane> wrap;
    private final Environment environment;
    private final Map<String, Lane> lanes = new ConcurrentHashMap<>();
    private final Set<Integer> lost = ConcurrentHashMap.newKeySet();
    private final Set<Integer> down = ConcurrentHashMap.newKeySet();

    private LaneFabric(Function<Lane, Lane> wrap, Environment environment) {
        this.wrap = wrap;
        this.environment = environment;
    }

    /** Uses unchanged lanes. */
    static LaneFabric plain() {
        return new LaneFabric(lane -> lane, RealEnvironment.INSTANCE);
    }

    /** Uses lanes of this depth that guarantee no more than the contract. */
    static LaneFabric weak(int depth) {
        return new LaneFabric(lane -> new WeakLane(lane, depth), RealEnvironment.INSTANCE);
    }

    /** Uses lanes of this depth whose use is counted, in this environment. */
    static LaneFabric counted(int depth, Environment environment) {
        return new LaneFabric(lane -> new CountedLane(new WeakLane(lane, depth)), environment);
    }

    /** A lane of a connected Compute Node of {@link #counted}. */
    CountedLane counted(int computeNode, int memoryNode, int number) {
        return (CountedLane) lanes.get(computeNode + "/" + memoryNode + "/" + number);
    }

    /** A lane of a connected Compute Node of {@link #weak}. */
    WeakLane lane(int computeNode, int memoryNode, int number) {
        return (WeakLane) lanes.get(computeNode + "/" + memoryNode + "/" + number);
    }

    /** Makes all links report this Memory Node as lost. Operations still work. */
    void lose(int memoryNode) {
        lost.add(memoryNode);
    }

    /** Makes all links report this Memory Node as unreachable, or reachable again. Unbroken lanes still work. */
    void takeDown(int memoryNode, boolean isDown) {
        if (isDown) {
            down.add(memoryNode);
        } else {
            down.remove(memoryNode);
        }
    }

    @Override
    public String name() {
        return "shm through lanes";
    }

    @Override
    public Environment environment() {
        return environment;
    }

    @Override
    public MemoryEndpoint openMemory(ClusterConfig config, int node) {
        return shm.openMemory(config, node);
    }

    @Override
    public ComputeEndpoint openCompute(ClusterConfig config, int node) {
        return new Endpoint(shm.openCompute(config, node));
    }

    private final class Endpoint implements ComputeEndpoint {
        private final ComputeEndpoint delegate;

        Endpoint(ComputeEndpoint delegate) {
            this.delegate = delegate;
        }

        @Override
        public int node() {
            return delegate.node();
        }

        @Override
        public long incarnation() {
            return delegate.incarnation();
        }

        @Override
        public Link connect(int memoryNode, int number, Duration timeout) {
            Link link = delegate.connect(memoryNode, number, timeout);
            List<Lane> wrapped = new ArrayList<>();
            for (int i = 0; i < number; i++) {
                wrapped.add(wrap.apply(link.lane(i)));
                lanes.put(node() + "/" + memoryNode + "/" + i, wrapped.get(i));
            }
            return new WrappedLink(link, wrapped);
        }

        @Override
        public LocalBuffer allocateLocal(long bytes) {
            return delegate.allocateLocal(bytes);
        }

        @Override
        public Optional<BlockingOperations> directOperations(List<Link> links) {
            return Optional.empty();
        }

        @Override
        public void abandon() {
            delegate.abandon();
        }

        @Override
        public void close() {
            delegate.close();
        }
    }

    private final class WrappedLink implements Link {
        private final Link delegate;
        private final List<Lane> wrapped;

        WrappedLink(Link delegate, List<Lane> wrapped) {
            this.delegate = delegate;
            this.wrapped = wrapped;
        }

        @Override
        public int memoryNode() {
            return delegate.memoryNode();
        }

        @Override
        public int segments() {
            return delegate.segments();
        }

        @Override
        public RemoteSegment segment(int i) {
            return delegate.segment(i);
        }

        @Override
        public int lanes() {
            return wrapped.size();
        }

        @Override
        public Lane lane(int i) {
            return wrapped.get(i);
        }

        @Override
        public boolean isLost() {
            return lost.contains(memoryNode()) || delegate.isLost();
        }

        @Override
        public boolean isReachable() {
            return !down.contains(memoryNode()) && !isLost();
        }

        @Override
        public LossKind lossKind() {
            return down.contains(memoryNode()) ? LossKind.UNREACHABLE : delegate.lossKind();
        }

        @Override
        public void close() {
            delegate.close();
        }
    }
}
