// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import dev.remus.fabric.LossKind;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.PeerState;

/** A simulated Memory Node's side of the fabric. */
final class SimMemoryEndpoint implements MemoryEndpoint {
    private static final int STEPS_PER_GET = 16;

    private final SimNetwork network;
    private final SimMemory memory;

    SimMemoryEndpoint(SimNetwork network, SimMemory memory) {
        this.network = network;
        this.memory = memory;
    }

    @Override
    public int node() {
        return memory.id().node();
    }

    @Override
    public int segments() {
        return memory.segments();
    }

    @Override
    public long segmentBytes() {
        return memory.segmentBytes();
    }

    @Override
    public long get(int segment, long offset) {
        synchronized (network.simulator()) {
            check(segment, offset);
            if (!network.simulator().isInside()) {
                network.advance(STEPS_PER_GET);
            }
            return memory.segment(segment).get(offset);
        }
    }

    @Override
    public void set(int segment, long offset, long value) {
        synchronized (network.simulator()) {
            check(segment, offset);
            memory.segment(segment).set(offset, value);
        }
    }

    private void check(int segment, long offset) {
        checkOpen();
        if (segment < 0
                || segment >= segments()
                || offset < 0
                || offset > segmentBytes() - Long.BYTES
                || (offset & 7) != 0) {
            throw new IndexOutOfBoundsException("offset " + offset + " of segment " + segment + " of Memory Node "
                    + node() + ", which has " + segments() + " segments of " + segmentBytes() + " bytes");
        }
    }

    private void checkOpen() {
        if (memory.isGone()) {
            throw new IllegalStateException("Memory Node " + node() + " is closed");
        }
    }

    @Override
    public void publish() {
        checkOpen();
        memory.publish();
    }

    @Override
    public PeerState peer(int computeNode) {
        return memory.peer(computeNode);
    }

    @Override
    public LossKind lossOf(int computeNode) {
        return memory.lossOf(computeNode);
    }

    @Override
    public long incarnation(int computeNode) {
        return memory.incarnation(computeNode);
    }

    @Override
    public boolean fence(int computeNode, long incarnation) {
        return memory.fence(computeNode, incarnation);
    }

    @Override
    public void close() {
        network.end(memory);
    }
}
