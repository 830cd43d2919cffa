package dev.remus.memory;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.NodeLostException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The check that every pointer passes before an operation is issued: aligned, unmarked, not null, in a segment that
 * exists, between its header and the end of its blocks, on a Memory Node that is still there.
 *
 * <p>One table look-up decides all of that. When a node is lost its entries are emptied, so that the check that is made
 * anyway also stops a thread that never waits for anything.
 */
public final class AddressSpace {
    private static final int SEGMENT_BITS = 6;

    private final ClusterConfig config;

    /**
     * By the upper 16 bits of a pointer: the offset at which the blocks end, 0 where there is no such segment. Written
     * by the thread that notices a loss and read without synchronisation: each operation reads it anew, since remote
     * accesses are volatile to the compiler. The threads of a node share the array; one that is closed has its own, all
     * zeros.
     */
    private long[] end;

    private final Losses losses;
    private volatile boolean closed;

    /** Why accesses are refused: what a node's address space has in common with those of its threads. */
    private static final class Losses {
        private final AtomicReferenceArray<NodeLostException> lost;
        private volatile @Nullable NodeLostException aborted;
        private volatile boolean closed;

        Losses(ClusterConfig config) {
            lost = new AtomicReferenceArray<>(config.lastMemoryNode() + 1);
        }
    }

    private AddressSpace(AddressSpace ofNode) {
        this.config = ofNode.config;
        this.end = ofNode.end;
        this.losses = ofNode.losses;
    }

    /** Of all segments of a cluster, as long as nothing is lost. */
    public AddressSpace(ClusterConfig config) {
        this.config = config;
        SegmentLayout layout = new SegmentLayout(config);
        end = new long[(config.lastMemoryNode() + 1) << SEGMENT_BITS];
        losses = new Losses(config);
        for (int node = config.firstMemoryNode(); node <= config.lastMemoryNode(); node++) {
            for (int segment = 0; segment < config.segmentsPerNode(); segment++) {
                end[node << SEGMENT_BITS | segment] = layout.end(segment);
            }
        }
    }

    /**
     * Checks a pointer to one word.
     *
     * @throws InvalidPointerException naming the pointer and the reason
     * @throws NodeLostException if its Memory Node is lost, or the cluster is aborting
     */
    public void check(long pointer) {
        checkTransfer(pointer, Long.BYTES);
    }

    /**
     * Checks a pointer to {@code length} bytes, which must be a positive multiple of 8.
     *
     * @throws InvalidPointerException naming the pointer and the reason
     * @throws NodeLostException if its Memory Node is lost, or the cluster is aborting
     */
    public void check(long pointer, int length) {
        int index = (int) (pointer >>> 48);
        if (((pointer | length) & 7) != 0
                || length <= 0
                || index >= end.length
                || isOutside(pointer, length, end[index])) {
            throw reason(pointer, length);
        }
    }

    /**
     * The same where the length is known to be a positive multiple of 8: that of {@link dev.remus.fabric.LocalBuffer}.
     */
    public void checkTransfer(long pointer, int length) {
        int index = (int) (pointer >>> 48);
        if ((pointer & 7) != 0 || index >= end.length || isOutside(pointer, length, end[index])) {
            throw reason(pointer, length);
        }
    }

    /** The same for a block, which may be longer than a transfer. */
    public void check(long pointer, long length) {
        if (length == (int) length) {
            check(pointer, (int) length);
        } else if ((pointer >>> 48) >= end.length
                || ((pointer | length) & 7) != 0
                || length <= 0
                || length > RdmaPtr.MAX_OFFSET
                || isOutside(pointer, length, end[(int) (pointer >>> 48)])) {
            throw reason(pointer, length);
        }
    }

    /** Whether one of these is below 0: what is in front of it, what is left behind it. One branch for both. */
    private static boolean isOutside(long pointer, long length, long end) {
        long offset = pointer & RdmaPtr.MAX_OFFSET;
        return (offset - SegmentHeader.BYTES | end - offset - length) < 0;
    }

    private RuntimeException reason(long pointer, long length) {
        int node = RdmaPtr.node(pointer);
        if (closed || losses.closed) {
            return new IllegalStateException("this Compute Thread, or its Compute Node, is closed");
        }
        NodeLostException aborted = losses.aborted;
        if (aborted != null) {
            return new NodeLostException(aborted);
        }
        if (node < losses.lost.length() && losses.lost.get(node) != null) {
            return new NodeLostException(losses.lost.get(node));
        }
        return new InvalidPointerException(
                pointer, "access of " + length + " bytes at " + describe(pointer) + ": " + why(pointer, length));
    }

    private static String describe(long pointer) {
        boolean offNull = RdmaPtr.offset(pointer) < SegmentHeader.BYTES && pointer >>> 48 == 0;
        return offNull && pointer != 0 ? "null plus " + pointer : "pointer (" + RdmaPtr.toString(pointer) + ")";
    }

    private String why(long pointer, long length) {
        int node = RdmaPtr.node(pointer);
        long offset = RdmaPtr.offset(pointer);
        if (length <= 0 || (length & 7) != 0) {
            return "the length needs to be a multiple of 8, above 0";
        }
        if (pointer >>> 48 == 0 && offset < SegmentHeader.BYTES) {
            return "null pointer";
        }
        if (RdmaPtr.isMarked(pointer)) {
            return "the pointer is marked; use RdmaPtr.unmarked";
        }
        if ((pointer & 7) != 0) {
            return "not 8-byte aligned";
        }
        if (!config.isMemoryNode(node)) {
            return "there is no such Memory Node, only " + config.firstMemoryNode() + " to " + config.lastMemoryNode();
        }
        if (RdmaPtr.segment(pointer) >= config.segmentsPerNode()) {
            return "there is no such segment, only 0 to " + (config.segmentsPerNode() - 1);
        }
        if (offset < SegmentHeader.BYTES) {
            return "it is in the segment header";
        }
        return "past the end of the blocks of that segment at offset 0x"
                + Long.toHexString(new SegmentLayout(config).end(RdmaPtr.segment(pointer)));
    }

    /** From now on every access to this Memory Node throws. */
    public void lose(int memoryNode, NodeLostException reason) {
        losses.lost.set(memoryNode, reason);
        for (int segment = 0; segment <= RdmaPtr.MAX_SEGMENT; segment++) {
            end[memoryNode << SEGMENT_BITS | segment] = 0;
        }
    }

    /** From now on every access throws. */
    public synchronized void abort(NodeLostException reason) {
        if (losses.aborted == null) { // what comes later is a consequence
            losses.aborted = reason;
        }
        Arrays.fill(end, 0);
    }

    /**
     * For words that structures cannot reach, at pointers that the framework made itself: checks only that the Memory
     * Node is there.
     *
     * @throws NodeLostException if it is lost, or the cluster is aborting
     */
    public void checkReachable(long pointer) {
        if (end[(int) (pointer >>> 48)] == 0) {
            throw reason(pointer, Long.BYTES);
        }
    }

    /**
     * The address space of one thread: what the node loses is lost here too, and {@link #closeThread} closes this one
     * alone.
     */
    public AddressSpace forThread() {
        return new AddressSpace(this);
    }

    /** From now on every access by this thread throws an {@link IllegalStateException}. To be called by the thread. */
    public void closeThread() {
        closed = true;
        end = new long[end.length];
    }

    /** From now on every access by any thread of the node throws an {@link IllegalStateException}. */
    public void close() {
        losses.closed = true;
        Arrays.fill(end, 0);
    }
}
