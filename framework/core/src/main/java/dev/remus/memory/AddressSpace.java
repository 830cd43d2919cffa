// SPDX-License-Identifier: Apache-2.0
package dev.remus.memory;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.Operation;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The check that every pointer passes before an operation is issued: it is not null, aligned, unmarked, and between the
 * header and the end of the blocks of a segment of a Memory Node that is not lost.
 *
 * <p>One table look-up decides this. When a node is lost, its entries are cleared, so the same check also stops a
 * thread that never waits.
 *
 * <p>Where the memory is mapped into this process, the same look-up gives the address ({@link #mapped}). So an access
 * that needs no request is checked and made without a call.
 *
 * <p>With {@link ClusterConfig#checkMemory}, a thread's own address space also refuses what its {@link AccessCheck}
 * does, and every access while the thread is offline. The framework's own accesses to blocks ({@link #check}, {@link
 * #checkBlock}) are exempt, since it also uses blocks that are free.
 */
public final class AddressSpace {
    private final ClusterConfig config;

    /** The segments that the threads of the node share. */
    private final KnownSegments ofNode;

    /** Those, except for a closed thread, which has {@link KnownSegments#NONE}. */
    private KnownSegments known;

    private final Losses losses;

    /** Null unless memory is checked, and this is a thread's address space. */
    private @Nullable AccessCheck accesses;

    private boolean isOffline;

    /** Whether READs are not checked for the state of the block. */
    private boolean validatesReads;

    private volatile boolean closed;

    /** Why accesses are refused: the part of a node's address space that its threads share. */
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
        this.ofNode = ofNode.ofNode;
        this.known = this.ofNode;
        this.losses = ofNode.losses;
    }

    /** The address space of a cluster's segments, with no node lost. */
    public AddressSpace(ClusterConfig config) {
        this.config = config;
        ofNode = KnownSegments.of(config);
        known = ofNode;
        losses = new Losses(config);
    }

    /**
     * Checks a pointer to one word.
     *
     * @throws InvalidPointerException if the pointer is invalid; the message names it and the reason
     * @throws NodeLostException if its Memory Node is lost, or the cluster is aborting
     */
    public void check(long pointer) {
        checkTransfer(pointer, Long.BYTES);
    }

    /**
     * Checks a pointer to {@code length} bytes, which must be a positive multiple of 8.
     *
     * @throws InvalidPointerException if the pointer is invalid; the message names it and the reason
     * @throws NodeLostException if its Memory Node is lost, or the cluster is aborting
     */
    public void check(long pointer, int length) {
        if (length <= 0 || (length & 7) != 0) {
            throw reason(pointer, length);
        }
        checkTransfer(pointer, length);
    }

    /**
     * Checks a pointer to {@code length} bytes, where the length is known to be a positive multiple of 8, because
     * {@link dev.remus.fabric.LocalBuffer} has checked it.
     */
    public void checkTransfer(long pointer, int length) {
        if (!known.holds(pointer, length)) {
            throw reason(pointer, length);
        }
    }

    /**
     * Checks an access of this thread to one word, and returns the pointer.
     *
     * @throws InvalidPointerException if the pointer is invalid or, if memory is checked, the block is free
     * @throws MixedAccessException if memory is checked, and it is a WRITE to a word that atomics use
     * @throws NodeLostException if its Memory Node is lost, or the cluster is aborting
     */
    public long admitted(Operation operation, long pointer) {
        admitTransfer(operation, pointer, Long.BYTES);
        return pointer;
    }

    /** Checks an access like {@link #admitted}, to {@code length} bytes, which must be a positive multiple of 8. */
    public void admit(Operation operation, long pointer, int length) {
        check(pointer, length);
        checkUse(operation, pointer, length);
    }

    /** Checks an access like {@link #admit}, whose length is known to be a positive multiple of 8. */
    public void admitTransfer(Operation operation, long pointer, int length) {
        checkTransfer(pointer, length);
        checkUse(operation, pointer, length);
    }

    private void checkUse(Operation operation, long pointer, int length) {
        if (accesses != null) {
            checkUse(accesses, operation, pointer, length);
        }
    }

    private void checkUse(AccessCheck check, Operation operation, long pointer, int length) {
        if (isOffline) {
            throw new IllegalStateException(access(pointer, length) + "this thread is offline");
        }
        if (operation != Operation.READ || !validatesReads) {
            check.check(operation, pointer, length);
        }
    }

    /** Checks a pointer to a block, which may be longer than a transfer, and may be free. */
    public void checkBlock(long pointer, long length) {
        if (length <= 0 || length > RdmaPtr.MAX_OFFSET || (length & 7) != 0 || !known.holds(pointer, length)) {
            throw reason(pointer, length);
        }
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
        return new InvalidPointerException(pointer, access(pointer, length) + why(pointer, length));
    }

    private static String access(long pointer, long length) {
        return "access of " + length + " bytes at " + describe(pointer) + ": ";
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

    /** Makes every later access to this Memory Node throw. */
    public void lose(int memoryNode, NodeLostException reason) {
        losses.lost.set(memoryNode, reason);
        known.forget(memoryNode);
    }

    /** Makes every later access throw. */
    public synchronized void abort(NodeLostException reason) {
        if (losses.aborted == null) { // later losses are consequences
            losses.aborted = reason;
        }
        known.forgetAll();
    }

    /**
     * Checks only that the Memory Node is not lost. For words that structures cannot reach, at pointers that the
     * framework made itself.
     *
     * @throws NodeLostException if it is lost, or the cluster is aborting
     */
    public void checkReachable(long pointer) {
        if (!known.has(pointer)) {
            throw reason(pointer, Long.BYTES);
        }
    }

    /** The address space of one thread. It shares the losses of the node, but {@link #closeThread} closes it alone. */
    public AddressSpace forThread() {
        return new AddressSpace(this);
    }

    /**
     * The segments whose words a thread may access by their addresses: those that these checks accept at that moment,
     * if all segments are mapped; else none. None with {@link ClusterConfig#checkMemory}, which looks at each access.
     *
     * @param mappedAt {@link dev.remus.fabric.BlockingOperations#mappedAt} of the thread's operations
     */
    public synchronized KnownSegments mapped(LongUnaryOperator mappedAt) {
        return !config.checkMemory() && known.map(config, mappedAt) ? known : KnownSegments.NONE;
    }

    /** Lets a check watch every access of this thread from now on. Only with {@link ClusterConfig#checkMemory}. */
    public void watch(AccessCheck check) {
        accesses = check;
    }

    /** Sets whether READs may meet blocks that are free; returns the former value. */
    public boolean setValidatesReads(boolean validates) {
        boolean before = validatesReads;
        validatesReads = validates;
        return before;
    }

    /**
     * Sets whether the thread has declared that it uses no blocks. With {@link ClusterConfig#checkMemory}, its accesses
     * are refused then.
     */
    public void setOffline(boolean offline) {
        isOffline = offline;
    }

    /** Makes every later access of this thread throw an {@link IllegalStateException}. To be called by the thread. */
    public void closeThread() {
        closed = true;
        known = KnownSegments.NONE;
    }

    /** Allows accesses again after {@link #closeThread}, and returns what {@link #mapped} does. */
    public KnownSegments openThread(LongUnaryOperator mappedAt) {
        closed = false;
        known = ofNode;
        return mapped(mappedAt);
    }

    /** Makes every later access of any thread of the node throw an {@link IllegalStateException}. */
    public void close() {
        losses.closed = true;
        known.forgetAll();
    }
}
