// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.Words;
import dev.remus.memory.KnownSegments;
import dev.remus.memory.RdmaPtr;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;

/**
 * A thread's view of an array in remote memory whose elements have stamps: words that show which elements are there, as
 * in a ring or a mailbox.
 *
 * <pre>
 *  +---------+---------+-----+   +-----------+-----------+-----+
 *  | stamp 0 | stamp 1 | ... |   | element 0 | element 1 | ... |      in one segment
 *  +---------+---------+-----+   +-----------+-----------+-----+
 * </pre>
 *
 * <p>{@link #write} WRITEs elements and then their stamps, and {@link #read} READs stamps and then their elements, each
 * on one lane in one round trip. So a thread that reads the stamp it expects has also read its element, provided that
 * no thread overwrites an element whose stamp may still be expected. Elements that are moved together have consecutive
 * stamps.
 *
 * <p>Elements are moved from and to <em>places</em> in local memory that belong to this view:
 *
 * <pre>
 *  +---------+---------+-----+-----------+-----------+-----+
 *  | stamp 0 | stamp 1 | ... | element 0 | element 1 | ... |
 *  +---------+---------+-----+-----------+-----------+-----+
 * </pre>
 *
 * <p>Belongs to its Compute Thread. No method allocates.
 */
public final class StampedArray {
    private static final int STAMP_BYTES = Long.BYTES;

    private final ComputeThread ct;
    private final ThreadMetrics metrics;
    private final long stamps;
    private final long elements;
    private final int length;
    private final int stride;
    private final int places;
    private final LocalBuffer local;
    private final int elementsAt;

    /**
     * Opens an array for a thread, and allocates its places. To be called once, not in a loop.
     *
     * @param stamps pointer to the first stamp; the others follow, 8 bytes each
     * @param elements pointer to the first element, in the same segment
     * @param length how many elements there are
     * @param stride bytes from element to element, a multiple of 8
     * @param places how many elements are moved at once, at most
     * @throws IllegalArgumentException if the two are not in one segment
     * @throws dev.remus.memory.InvalidPointerException if they are not all in it
     */
    public StampedArray(long stamps, long elements, int length, int stride, int places, ComputeThread ct) {
        if (RdmaPtr.node(stamps) != RdmaPtr.node(elements) || RdmaPtr.segment(stamps) != RdmaPtr.segment(elements)) {
            throw new IllegalArgumentException("stamps at (" + RdmaPtr.toString(stamps) + ") and elements at ("
                    + RdmaPtr.toString(elements) + "): needs both in one segment");
        }
        ct.parts.checked.checkBlock(stamps, (long) length * STAMP_BYTES);
        ct.parts.checked.checkBlock(elements, (long) length * stride);
        this.ct = ct;
        this.metrics = ct.metrics();
        this.stamps = stamps;
        this.elements = elements;
        this.length = length;
        this.stride = stride;
        this.places = places;
        this.elementsAt = places * STAMP_BYTES;
        this.local = ct.allocateLocal(elementsAt + (long) places * stride);
    }

    /** The local memory of the places. */
    public LocalBuffer local() {
        return local;
    }

    /** The offset in {@link #local} of a place's element. */
    public long at(int place) {
        return elementsAt + (long) place * stride;
    }

    /**
     * WRITEs the elements of places and then their stamps, and returns when they are placed. One round trip.
     *
     * @param place the first place
     * @param index the first element
     * @param count how many, at least 1
     * @param stamp of the first element; each of the others has the next one
     * @throws IndexOutOfBoundsException if there are no such places or elements
     */
    public void write(int place, int index, int count, long stamp) {
        store(place, index, count, stamp, true);
    }

    /**
     * Posts these WRITEs and returns at once: the places are in use until {@link ComputeThread#place}. Otherwise like
     * {@link #write}.
     */
    public void post(int place, int index, int count, long stamp) {
        store(place, index, count, stamp, false);
    }

    private void store(int place, int index, int count, long stamp, boolean isAwaited) {
        check(place, index, count);
        long toAddress = KnownSegments.toAddress(ct.mapped, ct.lastMapped, stamps);
        if (toAddress == 0) {
            request(place, index, count, stamp, isAwaited);
            return;
        }
        Words.writeReleased(local.address() + at(place), elementOf(index) + toAddress, count * stride);
        Reference.reachabilityFence(local);
        long toStamps = stampOf(index) + toAddress;
        for (int i = 0; i < count; i++) {
            Words.writeReleased(toStamps + (long) i * STAMP_BYTES, stamp + i);
        }
        if (isAwaited) {
            VarHandle.fullFence();
        }
        metrics.bulkWrites += 2;
        metrics.bulkWriteBytes += (long) count * (STAMP_BYTES + stride);
        metrics.notAwaited += isAwaited ? 1 : 2;
    }

    private void request(int place, int index, int count, long stamp, boolean isAwaited) {
        Sequence sequence = writing(place, index, count, stamp);
        if (isAwaited) {
            sequence.execute();
        } else {
            sequence.post();
        }
    }

    /**
     * Begins a sequence with these WRITEs, for a caller that adds more and then executes it. Otherwise like {@link
     * #write}.
     */
    public Sequence writing(int place, int index, int count, long stamp) {
        check(place, index, count);
        for (int i = 0; i < count; i++) {
            local.putLong((long) (place + i) * STAMP_BYTES, stamp + i);
        }
        return ct.sequence()
                .write(elementOf(index), local, at(place), count * stride)
                .write(stampOf(index), local, (long) place * STAMP_BYTES, count * STAMP_BYTES);
    }

    /**
     * READs stamps and then their elements, into the first places. One round trip. Where memory is mapped, only the
     * elements that are there are moved, since the time of a READ depends on its length.
     *
     * @param index the first element
     * @param count how many, at least 1
     * @param stamp that the first element has if it is there; each of the others has the next one
     * @return how many are there: elements behind the first that is not do not count
     * @throws IndexOutOfBoundsException if there are no such places or elements
     */
    public int read(int index, int count, long stamp) {
        check(0, index, count);
        long toAddress = KnownSegments.toAddress(ct.mapped, ct.lastMapped, stamps);
        if (toAddress == 0) {
            return fetch(index, count, stamp);
        }
        long fromStamps = stampOf(index) + toAddress;
        int present = 0;
        while (present < count && Words.read(fromStamps + (long) present * STAMP_BYTES) == stamp + present) {
            present++;
        }
        if (present > 0) {
            Words.read(elementOf(index) + toAddress, local.address() + elementsAt, present * stride);
            Reference.reachabilityFence(local);
        }
        metrics.bulkReads += 2;
        metrics.bulkReadBytes += (long) count * (STAMP_BYTES + stride);
        metrics.notAwaited++;
        ct.parts.backoff.takeTurn();
        return present;
    }

    private int fetch(int index, int count, long stamp) {
        ct.sequence()
                .read(stampOf(index), local, 0, count * STAMP_BYTES)
                .read(elementOf(index), local, elementsAt, count * stride)
                .execute();
        int present = 0;
        while (present < count && local.getLong((long) present * STAMP_BYTES) == stamp + present) {
            present++;
        }
        return present;
    }

    private long stampOf(int index) {
        return stamps + (long) index * STAMP_BYTES;
    }

    private long elementOf(int index) {
        return elements + (long) index * stride;
    }

    private void check(int place, int index, int count) {
        if ((place | index | count - 1 | places - place - count | length - index - count) < 0) {
            throw new IndexOutOfBoundsException(count + " elements from " + index + " of " + length
                    + ", at places from " + place + " of " + places + ": needs 1 or more, inside both");
        }
    }
}
