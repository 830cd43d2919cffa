// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.baseline;

import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLongArray;
import java.nio.ByteBuffer;

/**
 * The regions of a lock-based queue: each thread has one near itself, with its elements, and all threads reach all of
 * them. A thread's elements are numbered as it enqueues them, and take the cells of its region in turn.
 *
 * <pre>
 *  region of thread i                                     reference to an element
 *  0          header                                       63        43 42          0
 * +----------+--------+--------+-- ... --+----------+     +------------+-------------+
 * | header   | cell 0 | cell 1 |         | cell n-1 |     | thread + 1 | number      |
 * +----------+--------+--------+-- ... --+----------+     +------------+-------------+
 *             number mod n selects the cell
 * </pre>
 *
 * <p>Since its number is part of a reference, elements that use the same cell one after the other have different ones.
 */
final class QueueRegions {
    /** A reference to nothing. */
    static final long NONE = 0;

    private static final int NUMBER_BITS = 43;

    private final QueueRegion region;
    private final long[] bases;

    /** @param region a view of its own */
    QueueRegions(QueueRegion region, int threads) {
        this.region = region;
        this.bases = new long[threads];
    }

    static long reference(int thread, long number) {
        return (thread + 1L) << NUMBER_BITS | number;
    }

    static int thread(long reference) {
        return (int) (reference >>> NUMBER_BITS) - 1;
    }

    private static long number(long reference) {
        return reference & (1L << NUMBER_BITS) - 1;
    }

    /** Makes all regions, of zeros. */
    void allocate(ComputeThread ct) {
        ByteBuffer zeros = ByteBuffer.allocate(Math.toIntExact(region.bytes()));
        for (int thread = 0; thread < bases.length; thread++) {
            bases[thread] = ct.allocateNear(thread, region.bytes());
            ct.write(bases[thread], zeros.clear());
        }
    }

    /** Publishes where they are. */
    void store(RemoteLongArray pointers, ComputeThread ct) {
        for (int thread = 0; thread < bases.length; thread++) {
            pointers.store(thread, bases[thread], ct);
        }
    }

    /** Finds the regions that another thread has made. */
    void load(RemoteLongArray pointers, ComputeThread ct) {
        for (int thread = 0; thread < bases.length; thread++) {
            bases[thread] = pointers.load(thread, ct);
        }
    }

    void free(ComputeThread ct) {
        for (long base : bases) {
            ct.free(base, region.bytes());
        }
    }

    /** The pointer to a thread's region. */
    long base(int thread) {
        return bases[thread];
    }

    /** The pointer to the cell of the element that a reference names. */
    long cell(long reference) {
        return cell(thread(reference), (int) (number(reference) % region.cells().length()));
    }

    /** The pointer to a cell of a thread's region. */
    long cell(int thread, int i) {
        region.at(bases[thread]);
        return region.cells().pointer(i);
    }
}
