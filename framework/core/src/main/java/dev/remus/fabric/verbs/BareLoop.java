// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.RemoteSegment;
import dev.remus.fabric.Version;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Measures the shortest time that an operation can take: a loop in C posts it and polls until it has completed. The
 * queue pair is set up like that of a lane. For one thread.
 */
public final class BareLoop implements AutoCloseable {
    /** A request or chain to post; each has one completion. */
    public enum Request {
        /** A READ of 8 bytes. */
        READ,
        /** A WRITE of 8 bytes: acknowledged, not placed. */
        WRITE,
        /** A COMPARE_AND_SWAP that never finds what it expects. */
        COMPARE_AND_SWAP,
        /** A FETCH_AND_ADD. */
        FETCH_AND_ADD,
        /** A WRITE and a READ of 8 bytes as one chain. */
        PLACED_WRITE
    }

    private static final int LOCAL_BYTES = 64;

    private final VerbsComputeEndpoint endpoint;
    private final Connection connection;
    private final RemoteSegment segment;
    private final LocalBuffer local;
    private final WorkRequests requests = new WorkRequests(2);

    /**
     * Connects to a Memory Node of a running cluster.
     *
     * @param computeNode an id that no process uses
     */
    public BareLoop(ClusterConfig config, int computeNode, int memoryNode) {
        Verbs.checkLoaded();
        endpoint = new VerbsComputeEndpoint(config, computeNode, Version.PRESENT);
        try {
            Link link = endpoint.connect(memoryNode, 1, config.connectTimeout());
            connection = ((VerbsLane) link.lane(0)).connection();
            segment = link.segment(0);
            local = endpoint.allocateLocal(LOCAL_BYTES);
        } catch (RuntimeException e) {
            endpoint.close();
            throw e;
        }
    }

    /**
     * Executes an operation repeatedly, one at a time.
     *
     * @param offset of a word of the Memory Node's first segment
     * @param nanos receives the duration of each; its length is their number
     * @throws FabricException if one fails
     */
    public void run(Request request, long offset, long[] nanos) {
        ByteBuffer times = ByteBuffer.allocateDirect(nanos.length * Long.BYTES).order(ByteOrder.nativeOrder());
        prepare(request, segment.address() + offset);
        try {
            run(
                    connection.pair().handle(),
                    connection.pair().completionQueue(),
                    requests.address(0),
                    LocalBuffer.address(times),
                    nanos.length);
        } catch (IOException e) {
            throw new FabricException("a loop of " + request + " failed: " + e.getMessage(), e);
        }
        times.asLongBuffer().get(nanos);
        Reference.reachabilityFence(times);
        Reference.reachabilityFence(local);
    }

    private void prepare(Request request, long remote) {
        int last = request == Request.PLACED_WRITE ? 1 : 0;
        switch (request) {
            case READ -> set(0, WorkRequests.READ, WorkRequests.SIGNALED, remote);
            case WRITE -> set(0, WorkRequests.WRITE, WorkRequests.SIGNALED, remote);
            case COMPARE_AND_SWAP -> setAtomic(WorkRequests.COMPARE_AND_SWAP, remote, Long.MIN_VALUE);
            case FETCH_AND_ADD -> setAtomic(WorkRequests.FETCH_AND_ADD, remote, 1);
            case PLACED_WRITE -> {
                set(0, WorkRequests.WRITE, 0, remote);
                set(last, WorkRequests.READ, WorkRequests.SIGNALED, remote);
                requests.setNext(0, requests.address(last));
            }
        }
    }

    private void set(int slot, int opcode, int flags, long remote) {
        requests.set(slot, 0, opcode, flags);
        requests.setLocal(slot, local.address() + slot * (long) Long.BYTES, Long.BYTES, local.localKey());
        requests.setRemote(slot, remote, segment.rkey());
    }

    private void setAtomic(int opcode, long remote, long operand) {
        requests.set(0, 0, opcode, WorkRequests.SIGNALED);
        requests.setLocal(0, local.address(), Long.BYTES, local.localKey());
        requests.setRemote(0, remote, segment.rkey(), operand, 0);
    }

    private static native void run(long queuePair, long completionQueue, long list, long nanos, int n)
            throws IOException;

    @Override
    public void close() {
        endpoint.close();
    }
}
