// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.BlockingOperations;

/**
 * The counts of one Compute Thread's remote operations since it was opened. Operations of the framework itself
 * (barriers, allocation, the root) count like those of structures. Only that thread writes them. Another thread may
 * read them to show progress, and gets slightly old figures.
 */
public final class ThreadMetrics {
    // Plain fields, one increment for each operation: everything else is derived on request.
    long wordReads;
    long wordWrites;
    long postedWrites;
    long bulkReads;
    long bulkReadBytes;
    long bulkWrites;
    long bulkWriteBytes;
    long compareAndSwaps;
    long fetchAndAdds;
    long placements;

    /** READs, atomics and WRITEs, except {@link #postedWrites}, that had no wait of their own. */
    long notAwaited;

    /** Waits for asynchronous operations: one for all that were posted before it began. */
    long asynchronousWaits;

    long wakeUps;
    long barriers;

    long epochs;
    long retirements;
    private int retired;
    private long retiredBytes;
    private int retiredMost;
    private int retiredInEpoch;
    private int retiredInEpochMost;
    long reclamationRoundTrips;
    long stalls;

    private long cacheHits;
    private long cacheMisses;
    private long cacheDrops;

    private final BlockingOperations memory;

    ThreadMetrics(BlockingOperations memory) {
        this.memory = memory;
    }

    /** For caches: a copy was found, and saved a READ. */
    public void countCacheHit() {
        cacheHits++;
    }

    /** For caches: there was no copy. */
    public void countCacheMiss() {
        cacheMisses++;
    }

    /** For caches: all copies were dropped. */
    public void countCacheDrop() {
        cacheDrops++;
    }

    /** How often a read cache had a copy of the requested record. */
    public long cacheHits() {
        return cacheHits;
    }

    /** How often a read cache had no copy of the requested record. */
    public long cacheMisses() {
        return cacheMisses;
    }

    /** How often a read cache was emptied because memory may have been reclaimed. */
    public long cacheDrops() {
        return cacheDrops;
    }

    /** Counts a READ of more than a word, or into local memory. */
    void countRead(int bytes) {
        bulkReads++;
        bulkReadBytes += bytes;
    }

    /** Counts many of them. */
    void countReads(long reads, int bytes) {
        bulkReads += reads;
        bulkReadBytes += reads * bytes;
    }

    /** READs. The 8-byte READ that places a WRITE is part of that WRITE and not counted. */
    public long reads() {
        return wordReads - localReads() + bulkReads;
    }

    /**
     * Words that were read by a load, because their Memory Node runs in this process ({@link
     * dev.remus.fabric.LocalSegments}). They are neither READs nor round trips. A fabric on which every operation is an
     * instruction has none, so that the counts do not depend on it.
     */
    public long localReads() {
        return memory.localReads();
    }

    /** Bytes that those READs transferred. */
    public long readBytes() {
        return Long.BYTES * (wordReads - localReads()) + bulkReadBytes;
    }

    /** WRITEs, waited for or posted. */
    public long writes() {
        return wordWrites + postedWrites + bulkWrites;
    }

    /** Bytes that those WRITEs transferred. */
    public long writeBytes() {
        return Long.BYTES * (wordWrites + postedWrites) + bulkWriteBytes;
    }

    /** COMPARE_AND_SWAPs, successful or not. */
    public long compareAndSwaps() {
        return compareAndSwaps;
    }

    /** FETCH_AND_ADDs. */
    public long fetchAndAdds() {
        return fetchAndAdds;
    }

    /**
     * How often the thread waited for a completion. Several asynchronous operations that were posted before the first
     * of them was awaited count once, since they travel together.
     */
    public long roundTrips() {
        return reads()
                + wordWrites
                + bulkWrites
                + compareAndSwaps
                + fetchAndAdds
                + placements
                + asynchronousWaits
                - notAwaited;
    }

    /**
     * How often completions woke the thread while it slept in {@link AsyncOperations#awaitArmed} or {@link
     * AsyncOperations#awaitAny}.
     */
    public long wakeUps() {
        return wakeUps;
    }

    /** How often the thread has passed {@link ComputeThread#barrier}. */
    public long barriers() {
        return barriers;
    }

    /** How many epochs the thread has announced; 0 without {@code --reclaim epochs}. */
    public long epochs() {
        return epochs;
    }

    /** How many blocks the thread has retired so far. */
    public long retirements() {
        return retirements;
    }

    /** How many blocks the thread has retired and not reclaimed. */
    public int retired() {
        return retired;
    }

    /** The largest {@link #retired} so far. */
    public int retiredMost() {
        return retiredMost;
    }

    /**
     * The most blocks that the thread has retired in one epoch, with those that it has taken over from others of its
     * node. For a thread, an epoch lasts until it sees a later one. With {@code --reclaim epochs}, {@link #retiredMost}
     * is at most three times this number.
     */
    public int retiredInEpochMost() {
        return retiredInEpochMost;
    }

    void countRetiredInEpoch(int blocks) {
        retiredInEpoch += blocks;
        retiredInEpochMost = Math.max(retiredInEpochMost, retiredInEpoch);
    }

    void beginEpoch() {
        retiredInEpoch = 0;
    }

    /** The bytes of the blocks that the thread has retired and not reclaimed. */
    long retiredBytes() {
        return retiredBytes;
    }

    void countRetired(RetiredBlocks blocks) {
        retired = blocks.count();
        retiredBytes = blocks.bytes();
        retiredMost = Math.max(retiredMost, retired);
    }

    /** How many of the {@link #roundTrips} were made to announce epochs and to move them on. */
    public long reclamationRoundTrips() {
        return reclamationRoundTrips;
    }

    /** How often the thread was the first of its node to report a thread that holds the epoch up for long. */
    public long stalls() {
        return stalls;
    }

    /** Remote operations of all kinds. */
    public long operations() {
        return reads() + writes() + compareAndSwaps + fetchAndAdds;
    }

    @Override
    public String toString() {
        return "reads " + reads() + " (" + readBytes() + " bytes), writes " + writes() + " (" + writeBytes()
                + " bytes), compare-and-swaps " + compareAndSwaps + ", fetch-and-adds " + fetchAndAdds
                + ", round trips " + roundTrips()
                + (cacheHits + cacheMisses == 0 ? "" : ", cache hits " + cacheHits + ", misses " + cacheMisses);
    }
}
