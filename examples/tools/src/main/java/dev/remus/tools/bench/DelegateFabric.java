// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.MemoryEndpoint;
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
    private final UnaryOperator<BlockingOperations> wrap;

    DelegateFabric(UnaryOperator<BlockingOperations> wrap) {
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

    private record DelegateEndpoint(ComputeEndpoint shm, UnaryOperator<BlockingOperations> wrap)
            implements ComputeEndpoint {
        @Override
        public int node() {
            return shm.node();
        }

        @Override
        public long incarnation() {
            return shm.incarnation();
        }

        @Override
        public Link connect(int memoryNode, int lanes, Duration timeout) {
            return shm.connect(memoryNode, lanes, timeout);
        }

        @Override
        public LocalBuffer allocateLocal(long bytes) {
            return shm.allocateLocal(bytes);
        }

        @Override
        public Optional<BlockingOperations> directOperations(List<Link> links) {
            return shm.directOperations(links).map(wrap);
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
        FirstMemory(BlockingOperations shm) {
            super(shm);
        }

        @Override
        public long read(long pointer) {
            return shm.read(pointer);
        }
    }

    /** A second distinct class. */
    static final class SecondMemory extends Delegate {
        SecondMemory(BlockingOperations shm) {
            super(shm);
        }

        @Override
        public long read(long pointer) {
            return shm.read(pointer);
        }
    }

    private abstract static class Delegate extends BlockingOperations {
        final BlockingOperations shm;

        Delegate(BlockingOperations shm) {
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
        public void read(long pointer, LocalBuffer to, long toOffset, int length) {
            shm.read(pointer, to, toOffset, length);
        }

        @Override
        public void write(long pointer, LocalBuffer from, long fromOffset, int length) {
            shm.write(pointer, from, fromOffset, length);
        }

        @Override
        public void postFetchAndAdd(long pointer, long delta) {
            shm.postFetchAndAdd(pointer, delta);
        }

        @Override
        public void postRelease(long lock, long mark) {
            shm.postRelease(lock, mark);
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
