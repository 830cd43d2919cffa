// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Environment;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.PeerState;
import dev.remus.memory.SegmentHeader;
import java.util.function.IntConsumer;

/**
 * A fabric on which something happens each time that a Memory Node looks at the Compute Nodes. It may take a while, as
 * on a machine that is busy with something else.
 *
 * @param fabric the fabric that is used
 * @param look is called with the number of the Memory Node, before it reads who is lost
 */
record WatchedLooks(Fabric fabric, IntConsumer look) implements Fabric {
    /** The memory of a Memory Node. */
    private record Memory(MemoryEndpoint endpoint, IntConsumer look) implements MemoryEndpoint {
        @Override
        public int node() {
            return endpoint.node();
        }

        @Override
        public int segments() {
            return endpoint.segments();
        }

        @Override
        public long segmentBytes() {
            return endpoint.segmentBytes();
        }

        /** Each look reads the word of the first loss once. */
        @Override
        public long get(int segment, long offset) {
            if (segment == 0 && offset == SegmentHeader.LOSS) {
                look.accept(endpoint.node());
            }
            return endpoint.get(segment, offset);
        }

        @Override
        public void set(int segment, long offset, long value) {
            endpoint.set(segment, offset, value);
        }

        @Override
        public void publish() {
            endpoint.publish();
        }

        @Override
        public PeerState peer(int computeNode) {
            return endpoint.peer(computeNode);
        }

        @Override
        public LossKind lossOf(int computeNode) {
            return endpoint.lossOf(computeNode);
        }

        @Override
        public long incarnation(int computeNode) {
            return endpoint.incarnation(computeNode);
        }

        @Override
        public boolean fence(int computeNode, long incarnation) {
            return endpoint.fence(computeNode, incarnation);
        }

        @Override
        public void close() {
            endpoint.close();
        }
    }

    @Override
    public String name() {
        return fabric.name();
    }

    @Override
    public boolean exchangesHeartbeats() {
        return fabric.exchangesHeartbeats();
    }

    @Override
    public Environment environment() {
        return fabric.environment();
    }

    @Override
    public MemoryEndpoint openMemory(ClusterConfig config, int node) {
        return new Memory(fabric.openMemory(config, node), look);
    }

    @Override
    public ComputeEndpoint openCompute(ClusterConfig config, int node) {
        return fabric.openCompute(config, node);
    }
}
