package dev.remus.record;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.InvalidPointerException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link RemoteRecord} is apart from its fields: the place in remote memory that it looks at, and its copy of
 * what is there.
 */
public abstract class RecordView {
    private static final int LINE = 64;

    /** No pointer: not even null. */
    private static final long NOTHING = -1;

    private long base;
    private long bytes;

    /** This view's own memory, made when it is needed first. */
    private @Nullable LocalBuffer own;

    /**
     * Which record there is a copy of in {@link #own}. This is all that a fetch leaves behind and all that looking at
     * what was fetched asks for, since both are done for each node of a traversal.
     */
    private long ownOf = NOTHING;

    /** Which record there is a copy of in a cache; counts only while there is none in {@link #own}. */
    private long cachedOf = NOTHING;

    private @Nullable LocalBuffer cached;
    private long cachedOffset;

    /** The copies of the cache that it is in, and how often those had changed. */
    private @Nullable CachedCopies source;

    private long sourceChanges;

    /** A view that looks at nothing: every access throws until {@link #at}. */
    RecordView() {}

    /** Reserves the next bytes for a field; returns where it begins. */
    final long next(long length) {
        long offset = bytes;
        bytes = Math.addExact(bytes, wholeWords(length));
        return offset;
    }

    /** Leaves a gap up to the next cache line. */
    final void skipToLine() {
        bytes = wholeLines(bytes);
    }

    static long wholeWords(long bytes) {
        return Math.addExact(bytes, Long.BYTES - 1) & -Long.BYTES;
    }

    static long wholeLines(long bytes) {
        return Math.addExact(bytes, LINE - 1) & -LINE;
    }

    /** Size of the record in bytes. */
    public final long bytes() {
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
    final long pointer(long offset) {
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
    public final void at(RecordView other) {
        base = other.base;
    }

    /** Whether both views look at the same record. */
    public final boolean isAt(RecordView other) {
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

    // ---------------------------------------------------------------------------------------------- the copy

    /**
     * READs the whole record into this view's copy; the fields' {@code fetched} then tell what was read. Each word is
     * whole and of some moment during this call; different words may be of different moments. One round trip.
     *
     * @return the copy, in which a field is at its {@link RemoteField#offset}: for a loop over many records, which
     *     knows what it has fetched, so that {@code fetched} need not check it for each field
     */
    public final LocalBuffer fetch(ComputeThread ct) {
        LocalBuffer to = own(ct);
        try {
            ct.read(pointer(0), to);
        } catch (Throwable e) {
            giveUp();
            throw e;
        }
        ownOf = base;
        return to;
    }

    /**
     * The same together with another record that is likely to be wanted next, such as the one that a link pointed to
     * lately: a hint to prefetch it. One round trip, in which the other one is fetched too if it is on the same Memory
     * Node; nothing says which of them is read first.
     *
     * @param other another view
     * @return whether the other one has been fetched
     */
    public final boolean fetchWith(RecordView other, ComputeThread ct) {
        if (RdmaPtr.node(pointer(0)) != RdmaPtr.node(other.pointer(0))) {
            fetch(ct);
            return false;
        }
        Sequence sequence = ct.sequence();
        fetchIn(sequence, ct);
        other.fetchIn(sequence, ct);
        sequence.execute();
        return true;
    }

    /** Adds a READ of the whole record to a sequence; what was fetched can be looked at when that has been executed. */
    public final void fetchIn(Sequence sequence, ComputeThread ct) {
        LocalBuffer to = own(ct);
        sequence.read(pointer(0), to, 0, (int) bytes);
        ownOf = base;
    }

    /**
     * WRITEs the whole record from this view's copy, and returns when it is placed: for a record that others cannot see
     * yet, since they might see it torn. One round trip. What was staged is now also what was fetched.
     *
     * @throws IllegalStateException if nothing has been staged or fetched before
     */
    public final void storeStaged(ComputeThread ct) {
        LocalBuffer from = staged();
        try {
            ct.write(pointer(0), from, 0, (int) bytes);
        } catch (Throwable e) {
            giveUp();
            throw e;
        }
        ownOf = base;
    }

    /** Adds a WRITE of the whole record to a sequence. The copy is in use until that has been executed. */
    public final void storeStagedIn(Sequence sequence) {
        LocalBuffer from = staged();
        sequence.write(pointer(0), from, 0, (int) bytes);
        ownOf = base;
    }

    final void storeStagedIn(Sequence sequence, long offset, int length) {
        sequence.write(pointer(offset), staged(), offset, length);
    }

    /**
     * The memory that the copy is in, for fields of raw bytes ({@link RemoteBytes#fetchedOffset}, {@link
     * RemoteBytes#stagedOffset}).
     *
     * @throws IllegalStateException if there is none
     */
    public final LocalBuffer copy() {
        LocalBuffer memory = ownOf != base && isCached() ? cached : own;
        if (memory == null) {
            throw new IllegalStateException(this + " has not been fetched, and nothing was staged");
        }
        return memory;
    }

    final long copyOffset() {
        return ownOf != base && isCached() ? cachedOffset : 0;
    }

    /** Whether the copy, if there is one, is that of a cache. */
    private boolean isCached() {
        return ownOf == NOTHING && cachedOf != NOTHING;
    }

    private LocalBuffer own(ComputeThread ct) {
        if (own == null) {
            own = ct.allocateLocal(bytes);
        }
        return own;
    }

    /**
     * An operation that was not waited for to the end may still be using this view's memory, and nothing in it holds.
     */
    private void giveUp() {
        own = null;
        forgetCopy();
    }

    private LocalBuffer staged() {
        if (own == null || isCached()) {
            throw new IllegalStateException("nothing has been staged for " + this);
        }
        return own;
    }

    /** The copy is one of a cache, for as long as that does not change. */
    final void copyFrom(CachedCopies cache, long at) {
        ownOf = NOTHING;
        cachedOf = base;
        cachedOffset = at;
        sourceChanges = cache.changes;
        if (cached != cache.memory) { // storing a reference costs more than comparing it
            cached = cache.memory;
        }
        if (source != cache) {
            source = cache;
        }
    }

    /** There is no copy that anybody could rely on. */
    final void forgetCopy() {
        ownOf = NOTHING;
        cachedOf = NOTHING;
    }

    /** Whether the copy is what this view itself has fetched or stored. */
    final boolean hasOwnCopy() {
        return ownOf == base;
    }

    /** Makes sure that the copy can be written to, and is known not to be of another record. */
    final void beginStaging(ComputeThread ct) {
        own(ct);
        if (ownOf != base) {
            forgetCopy();
        }
    }

    final void stage(long offset, long value, ComputeThread ct) {
        beginStaging(ct);
        assert own != null; // staging has begun
        own.putLong(offset, value);
    }

    final void checkFetched(long offset, boolean isImmutable) {
        if (ownOf != base) {
            checkCached(offset, isImmutable);
        }
    }

    private void checkCached(long offset, boolean isImmutable) {
        if (!isImmutable || !isCachedStill()) {
            throw notFetched(offset);
        }
    }

    /** Whether what a cache had of the record that this view looks at is still there. */
    private boolean isCachedStill() {
        return isCached() && cachedOf == base && source != null && source.changes == sourceChanges;
    }

    /** A word of the copy, which has been checked. */
    final long copied(long offset) {
        if (ownOf == base) {
            assert own != null;
            return own.getLong(offset);
        }
        assert cached != null;
        return cached.getLong(cachedOffset + offset);
    }

    final long hinted(long offset) {
        if (ownOf != base && !isCachedStill()) {
            throw notFetched(offset);
        }
        return copied(offset);
    }

    private IllegalStateException notFetched(long offset) {
        String why = "it has not been fetched since this view was moved there";
        if (isCached() && cachedOf == base) {
            why = isCachedStill()
                    ? "its copy comes from a cache, and this field may have changed since: use hint, or declare it immutable"
                    : "its copy was in a cache that has changed since: load it again";
        }
        return new IllegalStateException("field at offset " + offset + " of " + this + ": " + why);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + " at (" + RdmaPtr.toString(base) + ")";
    }
}
