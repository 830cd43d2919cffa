// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.InvalidPointerException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import org.jspecify.annotations.Nullable;

/** The part of a {@link RemoteRecord} without its fields: its place in remote memory, and its copy of the contents. */
public abstract class RecordView {
    private static final int LINE = 64;

    /**
     * 2^64 divided by the golden ratio: makes stamps of numbers that are unique in the cluster. It is odd, so different
     * numbers have different products, and 0 alone has 0. Other data is hardly ever equal to one.
     */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    /** In place of the stamp once the record is removed. */
    static final long ERASED = 0;

    /** No pointer: not even null. */
    private static final long NOTHING = -1;

    private static final int NO_STAMP = -1;

    private long base;
    private long bytes;

    /** The offset of the stamp, or {@link #NO_STAMP}. */
    private int stampOffset = NO_STAMP;

    /** This view's own memory, allocated when first needed. */
    private @Nullable LocalBuffer own;

    /**
     * The record whose copy is in {@link #own}. A fetch sets only this, and reading a fetched field checks only this,
     * since a traversal does both for each node.
     */
    private long ownOf = NOTHING;

    /** The record whose copy is in a cache. It counts only while {@link #own} has no copy. */
    private long cachedOf = NOTHING;

    private @Nullable LocalBuffer cached;
    private int cachedOffset; // a cache has at most 2^30 bytes

    /** The copies of that cache, and how often they had changed. */
    private @Nullable CachedCopies source;

    private long sourceChanges;

    /** A view without a place: every access throws until {@link #at}. */
    RecordView() {
        RecordViews.made(this);
    }

    /** Reserves the next bytes for a field; returns its offset. */
    final long next(long length) {
        long offset = bytes;
        bytes = checkSize(offset + wholeWords(length));
        return offset;
    }

    /** Reserves a word for the stamp. */
    final void nextStamp() {
        if (hasStamp()) {
            throw new IllegalArgumentException(this + " has a stamp already, and needs one only");
        }
        stampOffset = Math.toIntExact(next(Long.BYTES)); // a record with a stamp is READ as a whole
    }

    final boolean hasStamp() {
        return stampOffset != NO_STAMP;
    }

    /**
     * The offset of the stamp in bytes from the start of the record.
     *
     * @throws IllegalStateException if none was declared
     */
    public final long stampOffset() {
        if (!hasStamp()) {
            throw new IllegalStateException(this + " has no stamp");
        }
        return stampOffset;
    }

    /** Whether WRITEs of the whole record change its fields after it was published, so that none can be atomic. */
    boolean storesAllFields() {
        return false;
    }

    /** Continues the declarations at another offset: where the variants of a union start, or end. */
    final void continueAt(long offset) {
        bytes = offset;
    }

    /** Leaves a gap up to the next cache line. */
    final void skipToLine() {
        bytes = wholeLines(bytes);
    }

    static long wholeWords(long bytes) {
        return checkSize(bytes) + Long.BYTES - 1 & -Long.BYTES;
    }

    static long wholeLines(long bytes) {
        return checkSize(bytes) + LINE - 1 & -LINE;
    }

    /** The size of an array. */
    static long arrayBytes(int length, long stride) {
        if (stride > RdmaPtr.MAX_OFFSET / length) {
            throw new IllegalArgumentException("an array of " + length + " elements of " + stride
                    + " bytes: needs at most " + RdmaPtr.MAX_OFFSET + " bytes in all, since no segment is larger");
        }
        return stride * length;
    }

    /** Rejects a size that no segment has room for, long before a sum of sizes would overflow. */
    private static long checkSize(long bytes) {
        if (bytes > RdmaPtr.MAX_OFFSET) {
            throw new IllegalArgumentException("a size of " + bytes + " bytes: needs at most " + RdmaPtr.MAX_OFFSET
                    + ", since no segment is larger");
        }
        return bytes;
    }

    /** Size of the record in bytes. */
    public final long bytes() {
        return bytes;
    }

    /** The raw pointer to the record, null if the view has no place. */
    public final long pointer() {
        return base;
    }

    /**
     * The raw pointer to a field. It is checked when it is used.
     *
     * @throws InvalidPointerException if this view has no place
     */
    final long pointer(long offset) {
        if (base == RdmaPtr.NULL) { // null plus an offset could be the pointer to a block
            throw new InvalidPointerException(
                    RdmaPtr.NULL, "field at offset " + offset + " of " + this + ": null pointer");
        }
        return base + offset;
    }

    /**
     * Moves this view to the record at a raw pointer. The pointer is checked when a field is used. The view's copy
     * stays that of the record fetched last, and cannot be used here unless this is that record.
     */
    public final void at(long pointer) {
        base = pointer;
    }

    /** Moves this view to the record at a pointer. */
    public final void at(RdmaPtr<?> pointer) {
        base = pointer.raw();
    }

    /** Moves this view to the record of another view. */
    public final void at(RecordView other) {
        base = other.base;
    }

    /** Whether both views are at the same record. */
    public final boolean isAt(RecordView other) {
        return base == other.base;
    }

    /** Whether this view is at the record at a raw pointer. */
    public final boolean isAt(long pointer) {
        return base == pointer;
    }

    /**
     * Allocates a block for a record and moves this view to it. The fields are undefined.
     *
     * @return the raw pointer to it
     * @throws dev.remus.memory.OutOfRemoteMemoryException as {@link ComputeThread#allocate}
     */
    public final long allocate(ComputeThread ct) {
        base = ct.allocate(bytes);
        return base;
    }

    /** Frees the record's block at once ({@link ComputeThread#free}). */
    public final void free(ComputeThread ct) {
        ct.free(base, bytes);
    }

    /** Retires the record's block ({@link ComputeThread#schedReclaim}). */
    public final void schedReclaim(ComputeThread ct) {
        ct.schedReclaim(base, bytes);
    }

    // ---------------------------------------------------------------------------------------------- the copy

    /**
     * READs the whole record into this view's copy. The fields' {@code fetched} then returns its values. Each word is
     * whole and of a moment during this call; different words may be of different moments. One round trip.
     *
     * @return the copy, in which a field is at its {@link RemoteField#offset}: for a loop over many records, which need
     *     not check for each field that it was fetched
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
     * Fetches this record together with another one that is likely to be needed next, such as the last known successor:
     * a hint to prefetch it. One round trip. The other record is fetched too if it is on the same Memory Node, after
     * this one.
     *
     * @param other another view
     * @return whether the other record was fetched
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

    /** Adds a READ of the whole record to a sequence. Once that has been executed, the record counts as fetched. */
    public final void fetchIn(Sequence sequence, ComputeThread ct) {
        LocalBuffer to = own(ct);
        sequence.read(pointer(0), to, 0, (int) bytes);
        ownOf = base;
    }

    /**
     * WRITEs the whole record from this view's copy, and returns when it is placed. For a record that other threads
     * cannot reach yet, since they might see it torn. One round trip. The staged values then count as fetched.
     *
     * @throws IllegalStateException if no value was staged or fetched before
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

    /** Sets a new stamp in the copy that {@link #storeStaged} writes. No round trip. */
    public final void stageStamp(ComputeThread ct) {
        stage(stampOffset(), ct.lockWords().newMark() * SPREAD, ct);
    }

    /** Erases the stamp in the copy. No round trip. */
    public final void stageErasedStamp(ComputeThread ct) {
        stage(stampOffset(), ERASED, ct);
    }

    /** Adds a WRITE of the stamp alone, as staged, to a sequence. */
    public final void storeStagedStampIn(Sequence sequence) {
        storeStagedIn(sequence, stampOffset(), Long.BYTES);
    }

    final void storeStagedIn(Sequence sequence, long offset, int length) {
        sequence.write(pointer(offset), staged(), offset, length);
    }

    /**
     * The memory of the copy, for fields of raw bytes ({@link RemoteBytes#fetchedOffset}, {@link
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

    /** Whether the copy, if there is one, belongs to a cache. */
    private boolean isCached() {
        return ownOf == NOTHING && cachedOf != NOTHING;
    }

    private LocalBuffer own(ComputeThread ct) {
        if (own == null) {
            own = ct.allocateLocal(bytes);
        }
        return own;
    }

    /** Drops this view's memory, which an abandoned operation may still be using. */
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

    /** Makes the copy one of a cache, for as long as that does not change. */
    final void copyFrom(CachedCopies cache, long at) {
        ownOf = NOTHING;
        cachedOf = base;
        cachedOffset = (int) at;
        sourceChanges = cache.changes;
        if (cached != cache.memory) { // storing a reference costs more than comparing it
            cached = cache.memory;
        }
        if (source != cache) {
            source = cache;
        }
    }

    /** Drops the copy: no field may be read from it. */
    final void forgetCopy() {
        ownOf = NOTHING;
        cachedOf = NOTHING;
    }

    /** Whether the copy is one that this view itself has fetched or stored. */
    final boolean hasOwnCopy() {
        return ownOf == base;
    }

    /** Makes the copy writable, and drops it if it belongs to another record. */
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

    /** Whether the cache still has its copy of this view's record. */
    private boolean isCachedStill() {
        return isCached() && cachedOf == base && source != null && source.changes == sourceChanges;
    }

    /** A word of the copy, which the caller has checked. */
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
