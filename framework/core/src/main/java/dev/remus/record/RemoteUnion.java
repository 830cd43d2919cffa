// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import dev.remus.node.ComputeThread;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Several variants of a part of a record at the same place, and a word that selects the one that the record has: its
 * kind, the ordinal of a constant of an enumeration.
 *
 * <pre>{@code
 * enum Kind { PUT, TAKE }
 *
 * static final class Put extends RecordPart { ... }
 * static final class Take extends RecordPart { ... }
 *
 * static final class Message extends RemoteRecord {
 *     final RemoteUnion<Kind> kind = new RemoteUnion<>(this, Kind.class);
 *     final UnionVariant<Put> put = kind.variant(Kind.PUT, Put::new);
 *     final UnionVariant<Take> take = kind.variant(Kind.TAKE, Take::new);
 * }
 *
 * message.put.stage(ct).key.stage(42, ct);           // makes it a PUT
 * message.storeStaged(ct);
 *
 * message.fetch(ct);
 * message.put.fetched().key.fetched();               // 42
 * message.take.fetched();                            // refused: it is a PUT
 * }</pre>
 *
 * <pre>
 *  +------+----------------+
 *  | kind | put            |
 *  |      | take     |     |      the record continues behind the longest variant
 *  +------+----------------+
 * </pre>
 *
 * <p>The kind may change only while no other thread reads the record: a READ of the kind and one of a variant's field
 * are two moments. A {@link VersionedRecord} has both of one.
 *
 * @param <K> the kinds
 */
public final class RemoteUnion<K extends Enum<K>> {
    private final RemoteRecord record;
    private final RemoteLong kind;
    private final K[] kinds;
    private final Map<K, UnionVariant<?>> variants;
    private final long start;
    private long end;

    /** Declares a union at the place that the record's declarations have reached. */
    public RemoteUnion(RemoteRecord record, Class<K> kinds) {
        this.record = record;
        this.kinds = kinds.getEnumConstants();
        this.variants = new EnumMap<>(kinds);
        this.kind = record.longField();
        this.start = record.bytes();
        this.end = start;
    }

    /**
     * Declares the fields that a record of one kind has. A kind without fields needs no variant.
     *
     * @param make the constructor of the part, which declares it in the record that it receives
     * @throws IllegalArgumentException if the part lies in another record, or elsewhere in this one
     * @throws IllegalStateException if the kind has a variant already, or the record has declared other fields since
     *     the union
     */
    public <P extends RecordPart> UnionVariant<P> variant(K kind, Function<? super RemoteRecord, P> make) {
        if (record.bytes() != end) {
            throw new IllegalStateException(record.getClass().getSimpleName() + " declares the variant " + kind
                    + " of its union behind other fields: needs all variants directly behind the union");
        }
        if (variants.containsKey(kind)) {
            throw new IllegalStateException("the union of " + record.getClass().getSimpleName()
                    + " has a variant for the kind " + kind + " already");
        }
        record.continueAt(start);
        P part = make.apply(record);
        if (part.record() != record || part.offset() != start) {
            throw new IllegalArgumentException("the variant " + kind + " of the union of "
                    + record.getClass().getSimpleName() + " has a "
                    + part.getClass().getSimpleName() + " at offset "
                    + part.offset() + " of a " + part.record().getClass().getSimpleName()
                    + ": needs a new part of the record that declares the union");
        }
        end = Math.max(end, record.bytes());
        record.continueAt(end);
        UnionVariant<P> variant = new UnionVariant<>(part, kind.name(), kind.ordinal(), this.kind, this::name);
        variants.put(kind, variant);
        return variant;
    }

    /**
     * Loads the kind. One round trip.
     *
     * @throws IllegalStateException if the word is no kind, because the record is of another type or was not stored
     */
    public K load(ComputeThread ct) {
        return kind(kind.load(ct));
    }

    /**
     * The kind in the copy that {@link RecordView#fetch} read. No round trip.
     *
     * @throws IllegalStateException if this record has not been fetched, or the word is no kind
     */
    public K fetched() {
        return kind(kind.fetched());
    }

    /**
     * The kind in the copy, which may come from a cache and be stale. No round trip.
     *
     * @throws IllegalStateException if there is no copy of this record, or the word is no kind
     */
    public K hint() {
        return kind(kind.hint());
    }

    /**
     * Sets the kind in the copy that {@link RecordView#storeStaged} writes: for a kind without fields. No round trip.
     * {@link UnionVariant#stage} sets the others.
     */
    public void stage(K kind, ComputeThread ct) {
        this.kind.stage(kind.ordinal(), ct);
    }

    private K kind(long word) {
        if (word < 0 || word >= kinds.length) {
            throw new IllegalStateException("the union of " + record + " has the kind " + word + ", which is none of "
                    + Arrays.toString(kinds) + ": the record is of another type, or was not stored");
        }
        return kinds[(int) word];
    }

    private String name(long word) {
        return kind(word).name();
    }
}
