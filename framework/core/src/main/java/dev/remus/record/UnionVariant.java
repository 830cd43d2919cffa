// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import dev.remus.node.ComputeThread;
import java.util.function.LongFunction;

/**
 * One variant of a {@link RemoteUnion}: gives access to its fields if the record is of its kind, and refuses it
 * otherwise. The check is of the record at which the view is now; ask again after the view has moved.
 *
 * @param <P> the fields
 */
public final class UnionVariant<P extends RecordPart> {
    private final P part;
    private final String name;
    private final long ordinal;
    private final RemoteLong kind;
    private final LongFunction<String> names;

    UnionVariant(P part, String name, long ordinal, RemoteLong kind, LongFunction<String> names) {
        this.part = part;
        this.name = name;
        this.ordinal = ordinal;
        this.kind = kind;
        this.names = names;
    }

    /**
     * The fields, after the kind was loaded and checked. One round trip.
     *
     * @throws IllegalStateException if the record is of another kind
     */
    public P load(ComputeThread ct) {
        return checked(kind.load(ct));
    }

    /**
     * The fields, after the kind was checked in the copy that {@link RecordView#fetch} read. No round trip.
     *
     * @throws IllegalStateException if this record has not been fetched, or is of another kind
     */
    public P fetched() {
        return checked(kind.fetched());
    }

    /**
     * The fields, after the kind was checked in the copy, which may come from a cache and be stale. No round trip.
     *
     * @throws IllegalStateException if there is no copy of this record, or it is of another kind
     */
    public P hint() {
        return checked(kind.hint());
    }

    /**
     * Makes the record one of this kind, in the copy that {@link RecordView#storeStaged} writes. No round trip.
     *
     * @return the fields, of which all must be staged next: what the copy has in their places belongs to another kind
     */
    public P stage(ComputeThread ct) {
        kind.stage(ordinal, ct);
        return part;
    }

    private P checked(long found) {
        if (found != ordinal) {
            throw new IllegalStateException("the fields of " + name + " in " + part.record()
                    + ": its union has the kind " + names.apply(found));
        }
        return part;
    }
}
