// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.Words;
import dev.remus.memory.KnownSegments;
import dev.remus.memory.RdmaPtr;
import org.jspecify.annotations.Nullable;

/**
 * A thread's search in linked records that are sorted: each begins with a key, a 64-bit integer, and the link to the
 * next.
 *
 * <pre>
 *    before               removed: goes past it    at
 *  +-----+------+        +-----+------+         +-----+------+
 *  | key | next +------> | key | next +-------> | key | next +-->     before's key &lt; sought key &lt;= key of "at"
 *  +-----+------+  link  +-----+------+         +-----+------+
 *                                mark
 * </pre>
 *
 * <p>A record is removed once its link is marked. A search goes past removed records, so that {@link #before} was none
 * when its link was read.
 *
 * <p>Every READ is checked and counted like any other. Where memory is mapped, a search is fast because it keeps in
 * local variables which segment it is in. As long as a link leads to the same segment, one comparison checks it, and
 * its address does not wait for a look-up of the segment. A view would be written and read back for each record, since
 * the compiler keeps no field in a register across the access of a word that other threads change.
 *
 * <p>Belongs to one thread. Nothing allocates but the first request for a whole record.
 */
public final class SortedChain {
    private static final int NEXT = Long.BYTES;

    /** How many bytes to READ of each record at once; 0 for words one by one. */
    private final int bytes;

    private long before;
    private long link;
    private long at;

    /** Where requests READ records to; null before the first, and while one may be using it. */
    private @Nullable LocalBuffer copy;

    private SortedChain(int bytes) {
        this.bytes = bytes;
    }

    /**
     * Searches that READ words one by one: the link of the record where a search starts, and then the key of each and,
     * unless it ends there, its link. A round trip for each word.
     */
    public static SortedChain ofWords() {
        return new SortedChain(0);
    }

    /**
     * Searches that READ each record as a whole, also that where a search starts. A round trip for each record.
     *
     * @param bytes how long records are: a multiple of 8 from 16 on, for key and link, to 2^30
     */
    public static SortedChain ofRecords(long bytes) {
        if (bytes < NEXT + Long.BYTES || bytes > 1 << 30 || (bytes & 7) != 0) {
            throw new IllegalArgumentException(
                    "records of " + bytes + " bytes: needs a multiple of 8 between 16, for key and link, and 2^30");
        }
        return new SortedChain((int) bytes);
    }

    /**
     * Looks for the first record that is not below a key. Where it READs words, that record may have been removed; else
     * it was none that was, when it was read.
     *
     * @param start the record where it starts, whose key does not count
     * @param end the record where it ends, which is not READ; null for the end of the chain
     * @return whether that record, {@link #at}, has the key
     */
    public boolean search(long start, long end, long key, ComputeThread ct) {
        long next = bytes == 0 ? ct.read(start + NEXT) : readLink(start, ct);
        return search(start, next, end, key, ct);
    }

    private long readLink(long start, ComputeThread ct) {
        long address = KnownSegments.address(ct.mapped, ct.lastMapped, start, bytes);
        if (address != 0) {
            ct.metrics().countRead(bytes);
            return Words.read(address + NEXT);
        }
        LocalBuffer to = lend(ct);
        ct.read(start, to);
        copy = to;
        return to.getLong(NEXT);
    }

    /**
     * Follows links by addresses. Two loops in one method, which is too long to be inlined for that reason: in a
     * caller, the compiler moves the variables of a loop between registers in each turn, and it takes twice as long.
     */
    private boolean search(long start, long first, long end, long key, ComputeThread ct) {
        long last = start;
        long next = first;
        long node = first;
        long[] table = ct.mapped;
        long entry = KnownSegments.entry(node, ct.lastMapped);
        long reads = 0;
        int length = bytes;
        if (length == 0) {
            while (node != end) {
                if (!KnownSegments.isWord(table, entry, node)) {
                    entry = KnownSegments.entry(node, ct.lastMapped);
                    if (!KnownSegments.isWord(table, entry, node)) {
                        ct.metrics().wordReads += reads;
                        return requestWords(last, next, node, end, key, ct);
                    }
                }
                long value = Words.read(KnownSegments.inSegment(table, entry, node));
                reads++;
                if (value >= key) {
                    ct.metrics().wordReads += reads;
                    return end(last, next, node, value == key);
                }
                if (!KnownSegments.isWord(table, entry, node + NEXT)) {
                    ct.metrics().wordReads += reads;
                    return requestWords(last, next, node, end, key, ct);
                }
                long following = Words.read(KnownSegments.inSegment(table, entry, node + NEXT));
                reads++;
                if (RdmaPtr.isMarked(following)) {
                    node = RdmaPtr.unmarked(following);
                } else {
                    last = node;
                    next = following;
                    node = following;
                }
            }
            ct.metrics().wordReads += reads;
        } else {
            while (node != end) {
                if (!KnownSegments.isWithin(table, entry, node, length)) {
                    entry = KnownSegments.entry(node, ct.lastMapped);
                    if (!KnownSegments.isWithin(table, entry, node, length)) {
                        ct.metrics().countReads(reads, length);
                        return requestRecords(last, next, node, end, key, ct);
                    }
                }
                long value = Words.read(KnownSegments.inSegment(table, entry, node)); // no other word is needed
                long following = Words.read(KnownSegments.inSegment(table, entry, node + NEXT));
                reads++;
                if (RdmaPtr.isMarked(following)) {
                    node = RdmaPtr.unmarked(following);
                    continue;
                }
                if (value >= key) {
                    ct.metrics().countReads(reads, length);
                    return end(last, next, node, value == key);
                }
                last = node;
                next = following;
                node = following;
            }
            ct.metrics().countReads(reads, length);
        }
        return end(last, next, node, false);
    }

    /** Continues where memory is not mapped, or a check has failed: then the next READ throws. */
    private boolean requestWords(long from, long behind, long node, long end, long key, ComputeThread ct) {
        end(from, behind, node, false);
        while (at != end) {
            long value = ct.read(at);
            if (value >= key) {
                return value == key;
            }
            follow(ct.read(at + NEXT));
        }
        return false;
    }

    private boolean requestRecords(long from, long behind, long node, long end, long key, ComputeThread ct) {
        end(from, behind, node, false);
        LocalBuffer to = lend(ct);
        boolean found = false;
        while (at != end) {
            ct.read(at, to);
            long following = to.getLong(NEXT);
            if (to.getLong(0) >= key && !RdmaPtr.isMarked(following)) {
                found = to.getLong(0) == key;
                break;
            }
            follow(following);
        }
        copy = to;
        return found;
    }

    private void follow(long following) {
        if (RdmaPtr.isMarked(following)) {
            at = RdmaPtr.unmarked(following);
        } else {
            before = at;
            link = following;
            at = following;
        }
    }

    private boolean end(long last, long next, long node, boolean found) {
        before = last;
        link = next;
        at = node;
        return found;
    }

    /** The copy, which is given back after its use. After a failure it is not, since a request may still use it. */
    private LocalBuffer lend(ComputeThread ct) {
        LocalBuffer memory = copy;
        copy = null;
        return memory == null ? ct.allocateLocal(bytes) : memory;
    }

    /** The last record that is below the key and was not removed when its link was read, or that of the start. */
    public long before() {
        return before;
    }

    /** The link of {@link #before}: it leads to {@link #at}, or to a removed record between the two. */
    public long link() {
        return link;
    }

    /** The record where the search ended. */
    public long at() {
        return at;
    }
}
