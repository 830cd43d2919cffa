// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Completions;
import dev.remus.fabric.Lane;
import dev.remus.fabric.LaneState;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.Operation;
import dev.remus.fabric.RemoteSegment;
import dev.remus.fabric.Words;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/**
 * A lane whose requests the posting thread executes, in the order posted, before {@link #tryPost} returns. It still
 * checks everything that a queue pair checks (depth, keys, bounds, breaking and flushing), so that a program that runs
 * here also runs on a queue pair. With {@code --latency}, completions are late.
 */
final class ShmLane implements Lane {
    private static final int DEPTH = 256;

    private final Link link;
    private final MappedNode node;
    private final int number;
    private final LaneState state;

    /** Null if no latency is emulated. */
    private final @Nullable HeldCompletions held;

    /** @param path the path whose latency is emulated; null for none */
    ShmLane(Link link, MappedNode node, int number, @Nullable EmulatedPath path) {
        this.link = link;
        this.node = node;
        this.number = number;
        this.state = new LaneState(this, link, DEPTH);
        this.held = path == null ? null : new HeldCompletions(path, DEPTH);
    }

    @Override
    public int depth() {
        return DEPTH;
    }

    @Override
    public synchronized boolean tryPost(Chain chain) {
        if (!state.tryPost(chain)) {
            return false;
        }
        if (held != null) {
            held.post();
        }
        for (int i = 0; i < chain.size(); i++) {
            CompletionStatus result = state.isBroken() ? CompletionStatus.FLUSHED : execute(chain, i);
            boolean reports = state.end(chain.isSignalled(i), chain.id(i), result);
            if (held != null) {
                held.ended(chain, i, reports);
            }
        }
        return true;
    }

    private CompletionStatus execute(Chain chain, int i) {
        if (node.wasFoundLost()) {
            return CompletionStatus.PEER_LOST;
        }
        RemoteSegment segment = chain.segment(i);
        int length = chain.length(i);
        if (segment.index() < 0
                || segment.index() >= link.segments()
                || link.segment(segment.index()).rkey() != segment.rkey()) {
            return CompletionStatus.REMOTE_ACCESS_ERROR;
        }
        Mapping mapping = node.mapping(segment.index());
        long offset = chain.offset(i);
        if (offset < 0 || offset > mapping.bytes() - length) {
            return CompletionStatus.REMOTE_ACCESS_ERROR;
        }
        execute(chain, i, mapping.address() + offset, length);
        Reference.reachabilityFence(mapping);
        return CompletionStatus.SUCCESS;
    }

    private static void execute(Chain chain, int i, long remote, int length) {
        LocalBuffer local = chain.local(i);
        long localOffset = chain.localOffset(i);
        Operation operation = chain.operation(i);
        switch (operation) {
            case READ -> Words.read(remote, local.address() + localOffset, length);
            case WRITE -> Words.write(local.address() + localOffset, remote, length);
            case COMPARE_AND_SWAP ->
                local.putLong(localOffset, Words.compareAndSwap(remote, chain.operand(i), chain.swap(i)));
            case FETCH_AND_ADD -> local.putLong(localOffset, Words.fetchAndAdd(remote, chain.operand(i)));
        }
        Reference.reachabilityFence(local);
    }

    @Override
    public synchronized int poll(Completions into) {
        if (held == null) {
            return state.poll(into);
        }
        int found = state.poll(into, state.isBroken() ? held.waiting() : held.due());
        held.polled(found);
        return found;
    }

    @Override
    public boolean isBroken() {
        return state.isBroken();
    }

    @Override
    public synchronized void reconnect() {
        state.reconnect();
    }

    synchronized void close() {
        state.close();
    }

    @Override
    public String toString() {
        return "lane " + number + " to Memory Node " + link.memoryNode();
    }
}
