package dev.remus.record;

import dev.remus.fabric.LocalMemory;
import dev.remus.memory.InvalidPointerException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import org.jspecify.annotations.Nullable;

/**
 * A view of a record in remote memory. A subclass declares the fields, in the order in which they lie there; each is a
 * multiple of 8 bytes long.
 *
 * <p>Mind that views are moved, not copied: {@code pred = curr} makes two names for one view. Write {@code pred.at(curr)}.
 *
 * <p>Fields are loaded and stored one by one, or all together through the view's copy of the record: {@link #fetch} READs
 * it in one round trip, {@link #storeStaged} WRITEs it in one. The copy is a snapshot of each word and not of the record:
 * a READ of several words may be torn between any two of them, and in any order (package {@code dev.remus.fabric}). That
 * suffices for words that never change ({@link #immutable}), and for one word that decides, as in an algorithm that
 * validates what it has read. Where several words have to be of one moment, use {@link VersionedRecord}.
 *
 * <p>The copy is used again by the next fetch; nothing here allocates but the first one of a view.
 */
public abstract class RemoteRecord {
    private static final int LINE = 64;

    /** No pointer: not even null. */
    private static final long NOTHING = -1;

    private long base;
    private int bytes;

    /** This view's own memory, made when it is needed first. */
    private @Nullable LocalMemory own;

    /**
     * Which record there is a copy of in {@link #own}. This is all that a fetch leaves behind and all that looking at what
     * was fetched asks for, since both are done for each node of a traversal.
     */
    private long ownOf = NOTHING;

    /** Which record there is a copy of in a cache; counts only while there is none in {@link #own}. */
    private long cachedOf = NOTHING;

    private @Nullable LocalMemory cached;
    private int cachedOffset;

    /** The cache that it is in, and what that looked like. */
    private @Nullable RecordCache source;

    private long sourceChanges;

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

    /**
     * Declares that a field never changes once others can see the record. Then a copy of it is as good as the field itself
     * for as long as the record is not given back, and {@link RecordCache} may answer for it. It is refused to atomics;
     * that nobody stores to it is the structure's promise.
     */
    protected final <F extends RemoteField> F immutable(F field) {
        field.declareImmutable();
        return field;
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

    // ---------------------------------------------------------------------------------------------- the copy

    /**
     * READs the whole record into this view's copy; the fields' {@code fetched} then tell what was read. Each word is
     * whole and of some moment during this call; different words may be of different moments. One round trip.
     *
     * @return the copy, in which a field is at its {@link RemoteField#offset}: for a loop over many records, which knows
     *     what it has fetched, so that {@code fetched} need not check it for each field
     */
    public final LocalMemory fetch(ComputeThread ct) {
        LocalMemory to = own(ct);
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
    public final boolean fetchWith(RemoteRecord other, ComputeThread ct) {
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
        LocalMemory to = own(ct);
        sequence.read(pointer(0), to, 0, bytes);
        ownOf = base;
    }

    /**
     * WRITEs the whole record from this view's copy, and returns when it is placed: for a record that others cannot see
     * yet, since they might see it torn. One round trip. What was staged is now also what was fetched.
     *
     * @throws IllegalStateException if nothing has been staged or fetched before
     */
    public final void storeStaged(ComputeThread ct) {
        LocalMemory from = staged();
        try {
            ct.write(pointer(0), from, 0, bytes);
        } catch (Throwable e) {
            giveUp();
            throw e;
        }
        ownOf = base;
    }

    /** Adds a WRITE of the whole record to a sequence. The copy is in use until that has been executed. */
    public final void storeStagedIn(Sequence sequence) {
        LocalMemory from = staged();
        sequence.write(pointer(0), from, 0, bytes);
        ownOf = base;
    }

    final void storeStagedIn(Sequence sequence, int offset, int length) {
        sequence.write(pointer(offset), staged(), offset, length);
    }

    /**
     * The memory that the copy is in, for fields of raw bytes ({@link RemoteBytes#fetchedOffset}, {@link
     * RemoteBytes#stagedOffset}).
     *
     * @throws IllegalStateException if there is none
     */
    public final LocalMemory copy() {
        LocalMemory memory = ownOf != base && isCached() ? cached : own;
        if (memory == null) {
            throw new IllegalStateException(this + " has not been fetched, and nothing was staged");
        }
        return memory;
    }

    final int copyOffset() {
        return ownOf != base && isCached() ? cachedOffset : 0;
    }

    /** Whether the copy, if there is one, is that of a cache. */
    private boolean isCached() {
        return ownOf == NOTHING && cachedOf != NOTHING;
    }

    private LocalMemory own(ComputeThread ct) {
        if (own == null) {
            own = ct.allocateLocal(bytes);
        }
        return own;
    }

    /** An operation that was not waited for to the end may still be using this view's memory, and nothing in it holds. */
    private void giveUp() {
        own = null;
        forgetCopy();
    }

    private LocalMemory staged() {
        if (own == null || isCached()) {
            throw new IllegalStateException("nothing has been staged for " + this);
        }
        return own;
    }

    /** The copy is one of a cache, for as long as that does not change. */
    final void copyFrom(RecordCache cache, long changes, LocalMemory memory, int at) {
        ownOf = NOTHING;
        cachedOf = base;
        cachedOffset = at;
        sourceChanges = changes;
        if (cached != memory) { // storing a reference costs more than looking at it
            cached = memory;
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

    final void stage(int offset, long value, ComputeThread ct) {
        beginStaging(ct);
        assert own != null; // staging has begun
        own.putLong(offset, value);
    }

    final void checkFetched(RemoteField field) {
        if (ownOf != base) {
            checkCached(field);
        }
    }

    private void checkCached(RemoteField field) {
        if (!field.isImmutable() || !isCachedStill()) {
            throw notFetched(field.offset);
        }
    }

    /** Whether what a cache had of the record that this view looks at is still there. */
    private boolean isCachedStill() {
        return isCached() && cachedOf == base && source != null && source.changes() == sourceChanges;
    }

    /** A word of the copy, which has been checked. */
    final long copied(int offset) {
        if (ownOf == base) {
            assert own != null;
            return own.getLong(offset);
        }
        assert cached != null;
        return cached.getLong((long) cachedOffset + offset);
    }

    final long hinted(int offset) {
        if (ownOf != base && !isCachedStill()) {
            throw notFetched(offset);
        }
        return copied(offset);
    }

    private IllegalStateException notFetched(int offset) {
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
