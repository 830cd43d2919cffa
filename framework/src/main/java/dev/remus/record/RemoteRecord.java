package dev.remus.record;

import dev.remus.memory.InvalidPointerException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;

/**
 * A view of a record in remote memory. A subclass declares the fields, in the order in which they lie there; each is a
 * multiple of 8 bytes long.
 *
 * <p>Mind that views are moved, not copied: {@code pred = curr} makes two names for one view. Write {@code pred.at(curr)}.
 */
public abstract class RemoteRecord {
    private static final int LINE = 64;

    private long base;
    private int bytes;

    /** A view that looks at nothing: every access throws until {@link #at}. */
    protected RemoteRecord() {}

    /** Declares a 64-bit integer. */
    protected final RemoteLong longField() {
        return new RemoteLong(this, next(Long.BYTES));
    }

    /** Declares a truth value, in a word of its own. */
    protected final RemoteBoolean booleanField() {
        return new RemoteBoolean(this, next(Long.BYTES));
    }

    /** Declares a remote pointer. */
    protected final <T> RemoteRef<T> refField() {
        return new RemoteRef<>(this, next(Long.BYTES));
    }

    /** Declares an array of 64-bit integers. */
    protected final RemoteLongArray longArrayField(int length) {
        if (length < 1) {
            throw new IllegalArgumentException("an array of " + length + " words: needs at least 1");
        }
        return new RemoteLongArray(this, next(Math.multiplyExact(Long.BYTES, length)), length);
    }

    /** Declares raw bytes, rounded up to whole words. */
    protected final RemoteBytes bytesField(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("a field of " + bytes + " bytes: needs at least 1");
        }
        return new RemoteBytes(this, next(wholeWords(bytes)), wholeWords(bytes));
    }

    /**
     * Leaves a gap, so that the next field starts a cache line of 64 bytes: for words that different threads change. A
     * record in a block of its own starts one too.
     */
    protected final void startLine() {
        bytes = Math.addExact(bytes, LINE - 1) & -LINE;
    }

    /** Declares a value of any type that has a {@link Codec}. */
    protected final <T> Atomic<T> field(Codec<T> codec) {
        return new Atomic<>(this, next(wholeWords(codec.bytes())), codec);
    }

    private static int wholeWords(int bytes) {
        return Math.addExact(bytes, Long.BYTES - 1) & -Long.BYTES;
    }

    private int next(int length) {
        int offset = bytes;
        bytes = Math.addExact(bytes, length);
        return offset;
    }

    /** Size of the record in bytes. */
    public final int bytes() {
        return bytes;
    }

    /** The raw pointer to what this view looks at, null if it looks at nothing. */
    public final long pointer() {
        return base;
    }

    /**
     * The raw pointer to a field: it is checked when it is used.
     *
     * @throws InvalidPointerException if this view looks at nothing
     */
    final long pointer(int offset) {
        if (base == RdmaPtr.NULL) { // null plus an offset could be the pointer to a block
            throw new InvalidPointerException(
                    RdmaPtr.NULL, "field at offset " + offset + " of " + this + ": null pointer");
        }
        return base + offset;
    }

    /** Makes this view look at the record at a raw pointer. The pointer is checked when a field is used. */
    public final void at(long pointer) {
        base = pointer;
    }

    /** Makes this view look at the record at a pointer. */
    public final void at(RdmaPtr<?> pointer) {
        base = pointer.raw();
    }

    /** Makes this view look at what another one looks at. */
    public final void at(RemoteRecord other) {
        base = other.base;
    }

    /** Whether both views look at the same record. */
    public final boolean isAt(RemoteRecord other) {
        return base == other.base;
    }

    /** Whether this view looks at the record at a raw pointer. */
    public final boolean isAt(long pointer) {
        return base == pointer;
    }

    /**
     * Allocates a block for such a record and makes this view look at it. The fields are undefined.
     *
     * @return the raw pointer to it
     * @throws dev.remus.memory.OutOfRemoteMemoryException as {@link ComputeThread#allocate}
     */
    public final long allocate(ComputeThread ct) {
        base = ct.allocate(bytes);
        return base;
    }

    /** Gives the record's block back at once ({@link ComputeThread#free}). */
    public final void free(ComputeThread ct) {
        ct.free(base, bytes);
    }

    /** Gives the record's block back for later ({@link ComputeThread#schedReclaim}). */
    public final void schedReclaim(ComputeThread ct) {
        ct.schedReclaim(base, bytes);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + " at (" + RdmaPtr.toString(base) + ")";
    }
}
