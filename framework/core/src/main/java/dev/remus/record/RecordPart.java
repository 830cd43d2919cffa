// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

/**
 * Fields that several kinds of records share, or that a record has several times: a nested record. A subclass declares
 * them, as a {@link RemoteRecord} does; the part lies in the record where it is made.
 *
 * <pre>{@code
 * static final class Interval extends RecordPart {
 *     final RemoteLong from = longField();
 *     final RemoteLong to = longField();
 *
 *     Interval(RemoteRecord in) {
 *         super(in);
 *     }
 * }
 *
 * static final class Booking extends RemoteRecord {
 *     final RemoteLong room = longField();
 *     final Interval time = new Interval(this);      // booking.time.from.load(ct)
 *     final Interval cleaning = new Interval(this);
 * }
 * }</pre>
 *
 * <p>Its fields are fields of that record: they move, are fetched, staged and cached with it. A part costs nothing at
 * run time. A view that is a record of one part alone can be moved to a part of another record by {@link #pointer}.
 */
public abstract class RecordPart {
    private final RemoteRecord record;
    private final long offset;

    /** A part at the place that the record's declarations have reached. */
    protected RecordPart(RemoteRecord in) {
        record = in;
        offset = in.bytes();
    }

    /** A part of a part. */
    protected RecordPart(RecordPart in) {
        this(in.record);
    }

    /** Its offset in bytes from the start of the record. */
    public final long offset() {
        return offset;
    }

    /** The raw pointer to its first field. */
    public final long pointer() {
        return record.pointer(offset);
    }

    /** The record in which it lies. */
    public final RemoteRecord record() {
        return record;
    }

    /** Declares a 64-bit integer. */
    protected final RemoteLong longField() {
        return record.longField();
    }

    /** Declares a truth value, in a word of its own. */
    protected final RemoteBoolean booleanField() {
        return record.booleanField();
    }

    /** Declares a remote pointer. */
    protected final <T> RemoteRef<T> refField() {
        return record.refField();
    }

    /** Declares a remote pointer with a counter: {@link RemoteRecord#taggedRefField}. */
    protected final <T> TaggedRef<T> taggedRefField() {
        return record.taggedRefField();
    }

    /** Declares an array of 64-bit integers. */
    protected final RemoteLongArray longArrayField(int length) {
        return record.longArrayField(length);
    }

    /** Declares raw bytes, rounded up to whole words. */
    protected final RemoteBytes bytesField(long bytes) {
        return record.bytesField(bytes);
    }

    /** Declares an array of elements of equal size: {@link RemoteRecord#arrayField}. */
    protected final RemoteArray arrayField(int length, long bytes) {
        return record.arrayField(length, bytes);
    }

    /** Declares an array whose elements each start a cache line: {@link RemoteRecord#lineArrayField}. */
    protected final RemoteArray lineArrayField(int length, long bytes) {
        return record.lineArrayField(length, bytes);
    }

    /** Leaves a gap, so that the next field starts a cache line: {@link RemoteRecord#startLine}. */
    protected final void startLine() {
        record.startLine();
    }

    /** Declares a value of any type that has a {@link Codec}. */
    protected final <T> Atomic<T> field(Codec<T> codec) {
        return record.field(codec);
    }

    /** Declares that a field never changes: {@link RemoteRecord#immutable}. */
    protected final <F extends RemoteField> F immutable(F field) {
        return record.immutable(field);
    }

    /** Declares that a field is changed only by atomics: {@link RemoteRecord#atomic}. */
    protected final <F extends RemoteField> F atomic(F field) {
        return record.atomic(field);
    }
}
