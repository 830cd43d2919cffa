// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import java.util.Arrays;

/**
 * A reusable list of work requests that is posted to a lane at once. Filling and posting it allocates nothing.
 *
 * <pre>{@code
 * chain.clear()
 *      .write(segment, 128, local, 0, 64)
 *      .read(segment, 128, local, 64, 8).signalled(7);   // placed once this READ has completed
 * lane.post(chain);
 * }</pre>
 *
 * <p>A chain belongs to one thread. After {@link Lane#tryPost} it may be cleared and filled again at once, but the
 * local memory that it names is in use until the completion. Arguments that concern only this side (local bounds,
 * lengths, alignment) are checked here, so a chain is posted either whole or not at all. The Memory Node checks the key
 * and the segment's bounds, and the completion reports the result.
 */
public final class Chain {
    private static final byte SIGNALLED = 1;
    private static final byte FENCED = 2;

    private final Operation[] operation;
    private final RemoteSegment[] segment;
    private final long[] offset;
    private final LocalBuffer[] local;
    private final long[] localOffset;
    private final int[] length;
    private final long[] operand;
    private final long[] swap;
    private final long[] id;
    private final byte[] flags;
    private int size;

    /** @param capacity the maximum number of requests, at least 1 */
    public Chain(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a chain of capacity " + capacity + ": needs at least 1");
        }
        operation = new Operation[capacity];
        segment = new RemoteSegment[capacity];
        offset = new long[capacity];
        local = new LocalBuffer[capacity];
        localOffset = new long[capacity];
        length = new int[capacity];
        operand = new long[capacity];
        swap = new long[capacity];
        id = new long[capacity];
        flags = new byte[capacity];
    }

    /** Empties the chain. */
    public Chain clear() {
        Arrays.fill(segment, 0, size, null);
        Arrays.fill(local, 0, size, null);
        size = 0;
        return this;
    }

    /** Appends a READ of {@code length} bytes, a multiple of 8, from a segment to local memory. */
    public Chain read(RemoteSegment from, long offset, LocalBuffer to, long toOffset, int length) {
        return append(Operation.READ, from, offset, to, toOffset, length, 0, 0);
    }

    /** Appends a WRITE of {@code length} bytes, a multiple of 8, from local memory to a segment. */
    public Chain write(RemoteSegment to, long offset, LocalBuffer from, long fromOffset, int length) {
        return append(Operation.WRITE, to, offset, from, fromOffset, length, 0, 0);
    }

    /** Appends a COMPARE_AND_SWAP; the word's old value goes to {@code result}. */
    public Chain compareAndSwap(
            RemoteSegment to, long offset, long expected, long desired, LocalBuffer result, long resultOffset) {
        return append(Operation.COMPARE_AND_SWAP, to, offset, result, resultOffset, Long.BYTES, expected, desired);
    }

    /** Appends a FETCH_AND_ADD; the word's old value goes to {@code result}. */
    public Chain fetchAndAdd(RemoteSegment to, long offset, long delta, LocalBuffer result, long resultOffset) {
        return append(Operation.FETCH_AND_ADD, to, offset, result, resultOffset, Long.BYTES, delta, 0);
    }

    /** Makes the last request appended report its completion, under this id. */
    public Chain signalled(long id) {
        flags[last()] |= SIGNALLED;
        this.id[last()] = id;
        return this;
    }

    /**
     * Delays the last request appended, and all behind it, until all earlier READs and atomics of its lane have
     * completed.
     */
    public Chain fenced() {
        flags[last()] |= FENCED;
        return this;
    }

    private Chain append(
            Operation operation,
            RemoteSegment segment,
            long offset,
            LocalBuffer local,
            long localOffset,
            int length,
            long operand,
            long swap) {
        if (size == this.operation.length) {
            throw new IllegalStateException("the chain is full: its capacity is " + size + " requests");
        }
        if (segment == null || local == null) {
            throw new IllegalArgumentException(operation + " without a " + (segment == null ? "segment" : "buffer"));
        }
        if (length <= 0 || (length & 7) != 0) {
            throw new IllegalArgumentException(operation + " of " + length + " bytes: needs a multiple of 8, above 0");
        }
        if ((offset & 7) != 0 || (localOffset & 7) != 0) {
            throw new IllegalArgumentException(operation + " at remote offset " + offset + " and local offset "
                    + localOffset + ": both need to be multiples of 8");
        }
        if (localOffset < 0 || localOffset > local.bytes() - length) {
            throw new IllegalArgumentException(operation + " of " + length + " bytes at local offset " + localOffset
                    + ": the local buffer has " + local.bytes() + " bytes");
        }
        this.operation[size] = operation;
        this.segment[size] = segment;
        this.offset[size] = offset;
        this.local[size] = local;
        this.localOffset[size] = localOffset;
        this.length[size] = length;
        this.operand[size] = operand;
        this.swap[size] = swap;
        this.id[size] = 0;
        this.flags[size] = 0;
        size++;
        return this;
    }

    private int last() {
        if (size == 0) {
            throw new IllegalStateException("the chain is empty");
        }
        return size - 1;
    }

    /** The number of requests in the chain. */
    public int size() {
        return size;
    }

    /** The maximum number of requests. */
    public int capacity() {
        return operation.length;
    }

    /** The operation of request {@code i}. */
    public Operation operation(int i) {
        return operation[i];
    }

    /** The segment that request {@code i} names. */
    public RemoteSegment segment(int i) {
        return segment[i];
    }

    /** The byte offset inside the segment. */
    public long offset(int i) {
        return offset[i];
    }

    /** The local memory that request {@code i} names. */
    public LocalBuffer local(int i) {
        return local[i];
    }

    /** The byte offset inside the local memory. */
    public long localOffset(int i) {
        return localOffset[i];
    }

    /** The length in bytes; 8 for an atomic. */
    public int length(int i) {
        return length[i];
    }

    /** The expected value of a COMPARE_AND_SWAP, or the summand of a FETCH_AND_ADD. */
    public long operand(int i) {
        return operand[i];
    }

    /** The desired value of a COMPARE_AND_SWAP. */
    public long swap(int i) {
        return swap[i];
    }

    /** The id under which request {@code i} reports, meaningful if it is signalled. */
    public long id(int i) {
        return id[i];
    }

    /** Whether request {@code i} reports its completion. */
    public boolean isSignalled(int i) {
        return (flags[i] & SIGNALLED) != 0;
    }

    /** Whether request {@code i} waits for earlier READs and atomics. */
    public boolean isFenced(int i) {
        return (flags[i] & FENCED) != 0;
    }
}
