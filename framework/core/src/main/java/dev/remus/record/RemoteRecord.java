// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

/**
 * A view of a record in remote memory. A subclass declares the fields, in the order of their places. Each is a multiple
 * of 8 bytes long.
 *
 * <p>Views are moved, not copied: {@code pred = curr} makes two names for one view. Write {@code pred.at(curr)}.
 *
 * <p>Fields are loaded and stored one by one, or together through the view's copy of the record: {@link #fetch} READs
 * it in one round trip, {@link #storeStaged} WRITEs it in one. The copy is a snapshot of each word and not of the
 * record: a READ of several words may be torn between any two of them, and in any order (package {@code
 * dev.remus.fabric}). That suffices for words that never change ({@link #immutable}), and for a single word that
 * decides, as in an algorithm that validates its reads. Where several words must be of one moment, use {@link
 * VersionedRecord}.
 *
 * <p>The next fetch reuses the copy. Only the first fetch of a view allocates.
 */
public abstract class RemoteRecord extends RecordView {
    /** A view without a place: every access throws until {@link #at}. */
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
        return new RemoteLongArray(this, next(arrayBytes(length, Long.BYTES)), length);
    }

    /** Declares raw bytes, rounded up to whole words. */
    protected final RemoteBytes bytesField(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("a field of " + bytes + " bytes: needs at least 1");
        }
        return new RemoteBytes(this, next(bytes), wholeWords(bytes));
    }

    /**
     * Declares an array of elements of equal size: raw bytes, or records to which another view is moved.
     *
     * @param bytes the size of an element, rounded up to whole words
     * @throws IllegalArgumentException if there is less than 1 of each, or no segment could have room for the array
     */
    protected final RemoteArray arrayField(int length, long bytes) {
        if (length < 1 || bytes < 1) {
            throw new IllegalArgumentException(
                    "an array of " + length + " elements of " + bytes + " bytes: needs at least 1 of each");
        }
        long stride = wholeWords(bytes);
        return new RemoteArray(this, next(arrayBytes(length, stride)), length, stride);
    }

    /** Declares an array like {@link #arrayField} whose elements each start a cache line of 64 bytes. */
    protected final RemoteArray lineArrayField(int length, long bytes) {
        startLine();
        return arrayField(length, wholeLines(bytes));
    }

    /**
     * Leaves a gap, so that the next field starts a cache line of 64 bytes: for words that different threads change. A
     * record in a block of its own starts a cache line too.
     */
    protected final void startLine() {
        skipToLine();
    }

    /** Declares a value of any type that has a {@link Codec}. */
    protected final <T> Atomic<T> field(Codec<T> codec) {
        return new Atomic<>(this, next(codec.bytes()), codec);
    }

    /**
     * Declares that a field never changes once other threads can reach the record. Then a copy is as good as the field
     * itself until the record is retired, and {@link RecordCache} may serve it. Atomics on it are refused. The
     * structure must not store to it.
     */
    protected final <F extends RemoteField> F immutable(F field) {
        field.declareImmutable();
        return field;
    }

    /**
     * Declares that a field is changed only by atomics once other threads can reach the record. A WRITE of the field
     * alone is refused, since it is not atomic with respect to them ({@code dev.remus.fabric}). {@code stage} and
     * {@link #storeStaged} set its first value.
     *
     * @throws IllegalArgumentException if the field is not a word, was declared immutable, or belongs to a {@link
     *     VersionedRecord}
     */
    protected final <F extends RemoteField> F atomic(F field) {
        field.declareAtomic();
        return field;
    }

    /**
     * Declares a stamp: a word that tells this record from all others that have been or will be in its block, so that a
     * {@link RecordCache} can keep copies while memory is reused around it. No two records of a cluster get the same. A
     * record has one stamp at most.
     *
     * <p>The structure {@linkplain #stageStamp stages} a stamp for each new record. It {@linkplain #stageErasedStamp
     * erases} the stamp, and has that placed, before it retires the record. If the stamp is declared right behind the
     * word that marks the record as removed, one WRITE changes both ({@link RemoteRef#storeStagedWithStampIn}).
     */
    protected final void stampField() {
        nextStamp();
    }

    /** Declares a pointer to a block with a counter of its changes: the remedy for ABA. */
    protected final <T> TaggedRef<T> taggedRefField() {
        return new TaggedRef<>(this, next(Long.BYTES));
    }
}
