package dev.remus.tools.bench;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalMemory;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.RemoteMemory;
import dev.remus.fabric.RemoteSequence;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Shared memory behind one more class, to measure calls through the fabric contract that have several targets. It
 * stands in for fabrics that this machine lacks.
 */
final class DelegateFabric implements Fabric {
    private final UnaryOperator<RemoteMemory> wrap;

    DelegateFabric(UnaryOperator<RemoteMemory> wrap) {
        this.wrap = wrap;
    }

    @Override
    public String name() {
        return "delegate";
    }

    @Override
    public MemoryEndpoint openMemory(ClusterConfig config, int node) {
        return Fabric.of(config).openMemory(config, node);
    }

    @Override
    public ComputeEndpoint openCompute(ClusterConfig config, int node) {
        return new DelegateEndpoint(Fabric.of(config).openCompute(config, node), wrap);
    }

    private record DelegateEndpoint(ComputeEndpoint shm, UnaryOperator<RemoteMemory> wrap) implements ComputeEndpoint {
        @Override
        public int node() {
            return shm.node();
        }

        @Override
        public Link connect(int memoryNode, int lanes, Duration timeout) {
            return shm.connect(memoryNode, lanes, timeout);
        }

        @Override
        public LocalMemory allocateLocal(long bytes) {
            return shm.allocateLocal(bytes);
        }

        @Override
        public Optional<RemoteMemory> directMemory(List<Link> links) {
            return shm.directMemory(links).map(wrap);
        }

        @Override
        public void abandon() {
            shm.abandon();
        }

        @Override
        public void close() {
            shm.close();
        }
    }

    /** A distinct class, as each fabric has one. */
    static final class FirstMemory extends Delegate {
        FirstMemory(RemoteMemory shm) {
            super(shm);
        }

        @Override
        public long read(long pointer) {
            return shm.read(pointer);
        }
    }

    /** A second distinct class. */
    static final class SecondMemory extends Delegate {
        SecondMemory(RemoteMemory shm) {
            super(shm);
        }

        @Override
        public long read(long pointer) {
            return shm.read(pointer);
        }
    }

    private abstract static class Delegate extends RemoteMemory {
        final RemoteMemory shm;

        Delegate(RemoteMemory shm) {
            this.shm = shm;
        }

        @Override
        public void write(long pointer, long value) {
            shm.write(pointer, value);
        }

        @Override
        public void post(long pointer, long value) {
            shm.post(pointer, value);
        }

        @Override
        public long compareAndSwap(long pointer, long expected, long desired) {
            return shm.compareAndSwap(pointer, expected, desired);
        }

        @Override
        public long fetchAndAdd(long pointer, long delta) {
            return shm.fetchAndAdd(pointer, delta);
        }

        @Override
        public void read(long pointer, LocalMemory to, long toOffset, int length) {
            shm.read(pointer, to, toOffset, length);
        }

        @Override
        public void write(long pointer, LocalMemory from, long fromOffset, int length) {
            shm.write(pointer, from, fromOffset, length);
        }

        @Override
        public void postFetchAndAdd(long pointer, long delta) {
            shm.postFetchAndAdd(pointer, delta);
        }

        @Override
        public void place() {
            shm.place();
        }

        @Override
        public int unplacedLanes() {
            return shm.unplacedLanes();
        }

        @Override
        public RemoteSequence newSequence() {
            return shm.newSequence();
        }
    }
}
