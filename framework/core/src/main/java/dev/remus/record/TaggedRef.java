// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import dev.remus.memory.RdmaPtr;
import dev.remus.memory.TaggedPointers;
import dev.remus.node.ComputeThread;
import org.jspecify.annotations.Nullable;

/**
 * A remote pointer to a block with a tag that counts the changes of this field, in one word: the remedy for ABA, after
 * IBM, "System/370 Extended Architecture: Principles of Operation" (1983). {@link TaggedPointers} defines the layout,
 * and how many changes it takes until a tag comes back.
 *
 * <p>A thread that compares and sets a plain {@link RemoteRef} cannot tell whether the pointer was there all the time.
 * In between, its target may have been removed, reclaimed and inserted again, with other contents. Here each change
 * makes a new word, so {@link #compareAndSet} fails. Then a structure may free blocks at once ({@link
 * RecordView#free}), and use them again: a thread that still follows an old pointer may read anything, and notices
 * afterwards.
 *
 * <pre>{@code
 * long top = This.top.load(ct);                      // pointer and tag: the word to compare with
 * node.at(This.top.target(top, ct));
 * long next = node.next.load(ct);                    // anything, if the node has been reclaimed meanwhile
 * if (This.top.compareAndSet(top, next, ct)) {       // it was not
 *     node.free(ct);                                 // at once: no barrier is needed
 * }
 * }</pre>
 *
 * <p>It is changed by compare-and-set only, so it is atomic in the sense of {@link RemoteRecord#atomic}; there is no
 * store. {@link #stage} begins with tag 0: for a record that no thread has used before. In a record that is used again
 * the tags must continue, so there the field is changed by compare-and-set too.
 *
 * <p>Works on raw words, and allocates once for each view.
 *
 * @param <T> the type of the target; nothing checks it at run time
 */
public final class TaggedRef<T> extends RemoteField {
    private @Nullable TaggedPointers layout;

    TaggedRef(RecordView record, long offset) {
        super(record, offset);
        declareAtomic();
    }

    /** Loads pointer and tag: a word for {@link #target}, {@link #tag} and the expectations here. One round trip. */
    public long load(ComputeThread ct) {
        return ct.read(record.pointer(offset));
    }

    /** The raw pointer in a loaded word. No round trip. */
    public long target(long word, ComputeThread ct) {
        return layout(ct).pointer(word);
    }

    /** The pointer in a loaded word as an object. No round trip. */
    public RdmaPtr<T> targetPointer(long word, ComputeThread ct) {
        return new RdmaPtr<>(target(word, ct));
    }

    /** The tag in a loaded word, as an unsigned number. No round trip. */
    public long tag(long word, ComputeThread ct) {
        return layout(ct).tag(word);
    }

    /**
     * Sets the pointer, and increments the tag, if pointer and tag are as expected; returns the old word. One round
     * trip.
     *
     * @param expected a loaded word
     * @param target the raw pointer to a block, or null
     * @throws dev.remus.memory.InvalidPointerException if the target is not the pointer to a block of this cluster, and
     *     the field is as expected; if the field has changed, the target may come from a reclaimed block, and be
     *     anything
     */
    public long compareAndExchange(long expected, long target, ComputeThread ct) {
        if (!layout(ct).isBlock(target)) {
            long found = load(ct);
            if (found != expected) {
                return found;
            }
        }
        return ct.compareAndSwap(record.pointer(offset), expected, layout(ct).next(expected, target));
    }

    /**
     * Sets the pointer, and increments the tag, if pointer and tag are as expected; returns whether they were. One
     * round trip.
     *
     * @param expected a loaded word
     * @param target the raw pointer to a block, or null
     * @throws dev.remus.memory.InvalidPointerException as {@link #compareAndExchange}
     */
    public boolean compareAndSet(long expected, long target, ComputeThread ct) {
        return compareAndExchange(expected, target, ct) == expected;
    }

    /** Like {@link #compareAndSet(long, long, ComputeThread)}, with the record of a view as the target. */
    public boolean compareAndSet(long expected, RecordView target, ComputeThread ct) {
        return compareAndSet(expected, target.pointer(), ct);
    }

    /**
     * Pointer and tag in the copy that {@link RecordView#fetch} read. No round trip.
     *
     * @throws IllegalStateException if this record has not been fetched, or comes from a cache
     */
    public long fetched() {
        return record.copied(fetchedAt());
    }

    /**
     * Pointer and tag in the copy, which may come from a cache and be stale. No round trip.
     *
     * @throws IllegalStateException if there is no copy of this record
     */
    public long hint() {
        return record.hinted(offset);
    }

    /**
     * Sets the first value, with tag 0, in the copy that {@link RecordView#storeStaged} writes. No round trip. For a
     * record that no thread has used before.
     *
     * @param target the raw pointer to a block, or null
     * @throws dev.remus.memory.InvalidPointerException if the target is not the pointer to a block of this cluster
     */
    public void stage(long target, ComputeThread ct) {
        record.stage(offset, layout(ct).word(target, 0), ct);
    }

    private TaggedPointers layout(ComputeThread ct) {
        TaggedPointers known = layout;
        if (known == null) {
            known = new TaggedPointers(ct.config());
            layout = known;
        }
        return known;
    }
}
