// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;

/**
 * An array in a remote record whose elements have equal size: raw bytes, or records to which another view is moved.
 *
 * <pre>{@code
 * cell.at(pool.cells.pointer(3));
 * }</pre>
 */
public final class RemoteArray extends RemoteElements {

    RemoteArray(RecordView record, long offset, int length, long stride) {
        super(record, offset, length, stride);
    }

    /**
     * Allocates a block for an array alone, and stores its length. The elements are undefined; until they are stored,
     * do not publish it. One round trip besides that of the allocation.
     *
     * @param bytes the size of an element, rounded up to whole words; elements of whole cache lines start cache lines
     * @throws dev.remus.memory.OutOfRemoteMemoryException as {@link ComputeThread#allocate}
     */
    public static RemoteArray allocate(int length, long bytes, ComputeThread ct) {
        if (length < 1) {
            throw new IllegalArgumentException("an array of " + length + " elements: needs at least 1");
        }
        return new RemoteArray(Alone.allocate(length, words(bytes), ct));
    }

    /**
     * Opens an array that a thread has allocated. One round trip, which reads the length.
     *
     * @param pointer its {@link #block}
     * @param bytes the size of an element, as it was allocated
     * @throws IllegalArgumentException if no such array was allocated there
     */
    public static RemoteArray open(RdmaPtr<RemoteArray> pointer, long bytes, ComputeThread ct) {
        return new RemoteArray(Alone.open(pointer.raw(), words(bytes), ct));
    }

    private static long words(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("elements of " + bytes + " bytes: needs at least 1");
        }
        return RecordView.wholeWords(bytes);
    }

    private RemoteArray(Alone array) {
        this(array, array.elements, array.length, array.stride);
    }

    /**
     * The pointer by which other threads open an array that is alone in its block.
     *
     * @throws IllegalStateException if it is a field of a record
     */
    public RdmaPtr<RemoteArray> block() {
        return new RdmaPtr<>(alone().pointer());
    }

    /** The bytes from the start of one element to the start of the next. */
    public long stride() {
        return stride;
    }

    /**
     * The raw pointer to element {@code i} of this array in the record at a raw pointer. No view is moved.
     *
     * @throws IndexOutOfBoundsException if there is no such element
     */
    public long pointerIn(long recordPointer, int i) {
        return recordPointer + offset + at(i);
    }

    @Override
    void declareAtomic() {
        throw new IllegalArgumentException("an array of raw elements cannot be declared atomic: its elements can");
    }
}
