package dev.remus.record;

/**
 * A field of a record in remote memory: where it lies, and whether it may be cached.
 *
 * <p>There are two ways to its value. Operations that take a Compute Thread and say "round trip" go to remote memory.
 * The others work on the view's copy of the whole record, which {@link RecordView#fetch} READs and {@link
 * RecordView#storeStaged} WRITEs: {@code fetched} is what was read, {@code hint} what was read some time ago, {@code
 * stage} puts a value where it is written from.
 */
public abstract class RemoteField {
    final RecordView record;
    final long offset;
    private boolean isImmutable;

    RemoteField(RecordView record, long offset) {
        this.record = record;
        this.offset = offset;
    }

    /**
     * Whether its value was declared never to change once others can see the record: {@link RemoteRecord#immutable}.
     */
    final boolean isImmutable() {
        return isImmutable;
    }

    final void declareImmutable() {
        isImmutable = true;
    }

    /** How many bytes from the start of the record it begins: also in what {@link RecordView#fetch} returns. */
    public final long offset() {
        return offset;
    }

    /** The raw pointer to it, or to the first word of it. */
    public final long pointer() {
        return record.pointer(offset);
    }

    /** Where it is in the record's copy, provided that what is there can be relied on. */
    final long fetchedAt() {
        record.checkFetched(offset, isImmutable);
        return offset;
    }

    /** A word that is changed by atomics cannot be one that never changes. */
    final void checkMutable() {
        if (isImmutable) {
            throw new UnsupportedOperationException("an atomic operation on the field at offset " + offset + " of "
                    + record + ", which was declared immutable");
        }
    }
}
