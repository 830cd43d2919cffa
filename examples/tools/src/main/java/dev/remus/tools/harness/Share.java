// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.node.ComputeThread;

/**
 * A thread's share of items that are divided evenly among the threads of a cluster.
 *
 * @param first its first item
 * @param end the item behind its last one
 */
public record Share(long first, long end) {
    /** The share of a thread. One of a node that has come back has none: the share was that of its earlier life. */
    public static Share of(long items, ComputeThread ct) {
        int threads = ct.config().totalThreads();
        return ct.id() < threads ? of(items, ct.id(), threads) : new Share(items, items);
    }

    /** The share of a thread by its id. */
    static Share of(long items, int thread, int threads) {
        return new Share(first(items, thread, threads), first(items, thread + 1, threads));
    }

    /** The number of items of all threads of a thread's node. */
    public static long ofNode(long items, ComputeThread ct) {
        int thread = ct.id() - ct.index();
        int threads = ct.config().totalThreads();
        return thread < threads
                ? first(items, thread + ct.config().threadsPerNode(), threads) - first(items, thread, threads)
                : 0;
    }

    /** The number of items. */
    public long size() {
        return end - first;
    }

    private static long first(long items, int thread, int threads) {
        // items * thread / threads, without overflow
        return items / threads * thread + items % threads * thread / threads;
    }
}
