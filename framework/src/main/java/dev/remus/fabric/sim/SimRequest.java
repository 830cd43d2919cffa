package dev.remus.fabric.sim;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.LocalMemory;
import dev.remus.fabric.Operation;
import dev.remus.fabric.RemoteSegment;

/** A work request on a simulated lane, and how far it has got. */
final class SimRequest {
    final Operation operation;
    final RemoteSegment segment;
    final long offset;
    final LocalMemory local;
    final long localOffset;
    final int words;
    final long operand;
    final long swap;
    final long id;
    final boolean signalled;
    final boolean fenced;

    /** The simulated thread that waits for its completion, or null. */
    final SimTask poster;

    /** In order of posting on its lane. */
    final long number;

    CompletionStatus status;

    /** Words that have not been moved yet, by their numbers; the first {@code left} of the array. */
    int[] order;

    int left;

    /** Of an atomic: it has read the word. */
    boolean hasRead;

    long value;

    SimRequest(Chain chain, int i, long number, SimTask poster) {
        this.operation = chain.operation(i);
        this.segment = chain.segment(i);
        this.offset = chain.offset(i);
        this.local = chain.local(i);
        this.localOffset = chain.localOffset(i);
        this.words = chain.length(i) / Long.BYTES;
        this.operand = chain.operand(i);
        this.swap = chain.swap(i);
        this.id = chain.id(i);
        this.signalled = chain.isSignalled(i);
        this.fenced = chain.isFenced(i);
        this.number = number;
        this.poster = poster;
        this.left = words;
    }

    boolean isDone() {
        return status != null;
    }

    boolean isAtomic() {
        return operation == Operation.COMPARE_AND_SWAP || operation == Operation.FETCH_AND_ADD;
    }

    /** Takes one of the words that are left: the first, or any. */
    int takeWord(Simulator simulator) {
        if (words == 1) {
            left = 0;
            return 0;
        }
        if (!simulator.may(Weakness.TORN_TRANSFERS)) {
            return words - left--;
        }
        if (order == null) {
            order = new int[words];
            for (int i = 0; i < words; i++) {
                order[i] = i;
            }
        }
        int chosen = simulator.choose(left);
        int word = order[chosen];
        order[chosen] = order[--left];
        return word;
    }

    @Override
    public String toString() {
        return operation + " of " + words + " words at node " + segment.memoryNode() + " segment " + segment.index()
                + " offset 0x" + Long.toHexString(offset);
    }
}
