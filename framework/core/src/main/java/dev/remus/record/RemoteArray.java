package dev.remus.record;

/**
 * An array in a remote record whose elements have equal size: raw bytes, or records to which another view is moved.
 *
 * <pre>{@code
 * cell.at(pool.cells.pointer(3));
 * }</pre>
 */
public final class RemoteArray extends RemoteField {
    private final int length;
    private final long stride;

    RemoteArray(RecordView record, long offset, int length, long stride) {
        super(record, offset);
        this.length = length;
        this.stride = stride;
    }

    /** The number of elements. */
    public int length() {
        return length;
    }

    /** The bytes from the start of one element to the start of the next. */
    public long stride() {
        return stride;
    }

    /**
     * The raw pointer to element {@code i}.
     *
     * @throws IndexOutOfBoundsException if there is no such element
     */
    public long pointer(int i) {
        return pointerIn(record.pointer(0), i);
    }

    /**
     * The raw pointer to element {@code i} of this array in the record at a raw pointer. No view is moved.
     *
     * @throws IndexOutOfBoundsException if there is no such element
     */
    public long pointerIn(long recordPointer, int i) {
        if (i < 0 || i >= length) {
            throw new IndexOutOfBoundsException("element " + i + " of an array of " + length + " elements");
        }
        return recordPointer + offset + i * stride;
    }
}
