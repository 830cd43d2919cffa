// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.Operation;
import dev.remus.fabric.RemoteSegment;
import dev.remus.fabric.sim.source.SourceLine;
import dev.remus.memory.RdmaPtr;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** A work request on a simulated lane, and its progress. The object is reused for later requests. */
final class SimRequest {
    private static final int[] NOTHING = {};

    /** The words of a transfer that a trace shows. */
    private static final int MAX_VALUES = 16;

    /** The words of a transfer that a listener receives. */
    private static final int MAX_LISTENED = 256;

    Operation operation;
    RemoteSegment segment;
    long offset;
    LocalBuffer local;
    long localOffset;
    int words;
    long operand;
    long swap;
    long id;
    boolean signalled;
    boolean fenced;

    /** The simulated thread that has posted it, or null. */
    @Nullable
    SimTask poster;

    /** Whether the code under test has posted it: an exposed thread, or a thread outside the simulation. */
    boolean isExposed;

    /** Its number, in order of posting. */
    long number;

    /** In a trace: the name of its first word and the line of source that posted it; else empty. */
    String origin = "";

    /** When it is executed, if operations take time. */
    long due;

    /** Its status; null until it has ended. */
    @Nullable
    CompletionStatus status;

    /** The numbers of the words not transferred yet: the first {@code left}. Unused if they are transferred in
     * order. */
    private int[] order = NOTHING;

    int left;

    /** For an atomic: whether it has read the word. */
    boolean hasRead;

    /** The segment where this atomic waits for the end of another on its word; null if it does not wait. */
    @Nullable
    SimSegment blockedAt;

    long value;

    /** Request {@code i} of a chain. */
    SimRequest(Chain chain, int i, long number, @Nullable SimTask poster) {
        set(chain, i, number, poster);
    }

    /** Makes it request {@code i} of a chain. */
    final void set(Chain chain, int i, long newNumber, @Nullable SimTask newPoster) {
        operation = chain.operation(i);
        segment = chain.segment(i);
        offset = chain.offset(i);
        local = chain.local(i);
        localOffset = chain.localOffset(i);
        words = chain.length(i) / Long.BYTES;
        operand = chain.operand(i);
        swap = chain.swap(i);
        id = chain.id(i);
        signalled = chain.isSignalled(i);
        fenced = chain.isFenced(i);
        poster = newPoster;
        isExposed = newPoster == null || newPoster.isExposed();
        number = newNumber;
        origin = "";
        due = 0;
        status = null;
        left = words;
        hasRead = false;
        blockedAt = null;
    }

    /** Its status, once it is done. */
    CompletionStatus ended() {
        assert status != null;
        return status;
    }

    /** The offset behind its last word. */
    long end() {
        return offset + (long) words * Long.BYTES;
    }

    /** The most steps that it still takes: one for each word, another to place it, and two for an atomic. */
    int mostSteps() {
        return isDone() ? 0 : operation == Operation.READ ? left : 2 * left;
    }

    boolean isDone() {
        return status != null;
    }

    /** Ends it with a status, which need not reflect what was executed. */
    void end(CompletionStatus how, SimWorld world) {
        status = how;
        if (world.isTraced()) {
            world.ended(number, how, localWords(), describeEnd());
        }
    }

    /** How it has ended, in a line of a trace. */
    private String describeEnd() {
        return this + (poster == null ? "" : " by " + poster.name()) + ": "
                + (status == CompletionStatus.SUCCESS ? values() : status)
                + (origin.isEmpty() ? "" : " (" + origin + ")");
    }

    /** Adds it to a trace, as the calling thread has just posted it to a lane. */
    void posted(Agent lane, SimWorld world) {
        if (world.isTraced()) {
            String thread = poster == null ? "" : poster.name();
            origin = world.posted(new PostedRequest(
                    number, thread, lane.name(), operation, pointer(), words, operands(), SourceLine.ofCaller()));
        }
    }

    private List<Long> operands() {
        return switch (operation) {
            case READ -> List.of();
            case WRITE -> LongStream.of(localWords()).boxed().toList();
            case COMPARE_AND_SWAP -> List.of(operand, swap);
            case FETCH_AND_ADD -> List.of(operand);
        };
    }

    /** The raw pointer to its first word. */
    private long pointer() {
        return RdmaPtr.raw(segment.memoryNode(), segment.index(), offset);
    }

    /** The first local words: those that it has read, or writes. */
    private long[] localWords() {
        return IntStream.range(0, Math.min(words, MAX_LISTENED))
                .mapToLong(this::localWord)
                .toArray();
    }

    private long localWord(int i) {
        return local.getLong(localOffset + (long) i * Long.BYTES);
    }

    /** Takes one of the remaining words: the first, or any. */
    int takeWord(SimWorld world) {
        if (words == 1) {
            left = 0;
            return 0;
        }
        if (!world.may(Weakness.TORN_TRANSFERS)) {
            return words - left--;
        }
        if (left == words) {
            beginOrder();
        }
        int chosen = world.choose(left);
        int word = order[chosen];
        order[chosen] = order[--left];
        return word;
    }

    private void beginOrder() {
        order = order.length < words ? new int[words] : order;
        for (int w = 0; w < words; w++) {
            order[w] = w;
        }
    }

    /** What it has read or written, the first words of a longer transfer only. */
    private String values() {
        return switch (operation) {
            case COMPARE_AND_SWAP ->
                localWord(0) == operand
                        ? hex(operand) + " -> " + hex(swap)
                        : "found " + hex(localWord(0)) + " instead of " + hex(operand);
            case FETCH_AND_ADD -> hex(localWord(0)) + " + " + operand;
            default ->
                IntStream.range(0, Math.min(words, MAX_VALUES))
                                .mapToObj(i -> hex(localWord(i)))
                                .collect(Collectors.joining(" "))
                        + (words > MAX_VALUES ? " ..." : "");
        };
    }

    private static String hex(long value) {
        return "0x" + Long.toHexString(value);
    }

    @Override
    public String toString() {
        return operation + " of " + words + (words == 1 ? " word" : " words") + " at node " + segment.memoryNode()
                + " segment " + segment.index() + " offset 0x" + Long.toHexString(offset);
    }
}
