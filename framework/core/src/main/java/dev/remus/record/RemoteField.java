// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

/**
 * A field of a record in remote memory: its place, and whether it may be cached.
 *
 * <p>There are two ways to its value. Operations that take a Compute Thread, documented with round trips, access remote
 * memory. The others access the view's copy of the whole record, which {@link RecordView#fetch} READs and {@link
 * RecordView#storeStaged} WRITEs: {@code fetched} returns a value just read, {@code hint} one that may be stale, and
 * {@code stage} sets a value to be written.
 */
public abstract class RemoteField {
    final RecordView record;
    final long offset;
    private boolean isImmutable;
    private boolean isAtomic;

    RemoteField(RecordView record, long offset) {
        this.record = record;
        this.offset = offset;
    }

    /**
     * Whether its value was declared never to change once other threads can reach the record: {@link
     * RemoteRecord#immutable}.
     */
    final boolean isImmutable() {
        return isImmutable;
    }

    final void declareImmutable() {
        checkOneDeclaration(isAtomic);
        isImmutable = true;
    }

    /** Implements {@link RemoteRecord#atomic}. */
    void declareAtomic() {
        checkOneDeclaration(isImmutable);
        if (record.storesAllFields()) {
            throw new IllegalArgumentException("the field at offset " + offset + " of " + record
                    + " cannot be declared atomic: storeConsistent WRITEs all fields of a VersionedRecord");
        }
        isAtomic = true;
    }

    private void checkOneDeclaration(boolean isOther) {
        if (isOther) {
            throw new IllegalArgumentException("the field at offset " + offset + " of " + record
                    + " is declared both atomic and immutable: a field that never changes needs no atomics");
        }
    }

    /** Its offset in bytes from the start of the record, and in the copy that {@link RecordView#fetch} returns. */
    public final long offset() {
        return offset;
    }

    /** The raw pointer to it, or to its first word. */
    public final long pointer() {
        return record.pointer(offset);
    }

    /** Its offset in the record's copy. Checks that the copy is valid. */
    final long fetchedAt() {
        record.checkFetched(offset, isImmutable);
        return offset;
    }

    /** Refuses a WRITE of an atomic field alone. */
    final void checkStorable() {
        if (isAtomic) {
            throw new UnsupportedOperationException("a WRITE to the field at offset " + offset + " of " + record
                    + ", which was declared atomic: use compareAndSet, exchange or another atomic; "
                    + "stage and storeStaged set its first value");
        }
    }

    /** Refuses atomics on an immutable field. */
    final void checkMutable() {
        if (isImmutable) {
            throw new UnsupportedOperationException("an atomic operation on the field at offset " + offset + " of "
                    + record + ", which was declared immutable");
        }
    }
}
