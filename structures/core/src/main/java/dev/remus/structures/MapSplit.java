// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;

/**
 * The split of a full bucket of a hash map in two. Any thread that needs it does the steps that are left.
 *
 * <pre>
 *   1. close    intake: open -> closed                    no insertion in this bucket until it is open again
 *   2. freeze   slots of keys whose hash has bit d set    no update and no removal of these until they have moved
 *   3. publish  split word: depth d -> d+1, sibling       the frozen entries are in the sibling from now on
 *   4. reopen   intake: closed -> the next generation     insertions may fill the slots that are frozen
 * </pre>
 *
 * <p>Each step is one round trip: the hashes are READ beside step 1, and the sibling is written beside step 2. Each
 * is a COMPARE_AND_SWAP that succeeds once in the life of the bucket, since depth and generation only grow. So it does
 * no harm if several threads do the same step, however late.
 */
final class MapSplit {
    /** The bits of a hash that select its bucket. */
    private static final long SELECTING = (1L << MapWords.MAX_DEPTH) - 1;

    private final MapDirectory directory;
    private final int slots;
    private final MapBucket fresh;
    private final MapChains chains;

    /** The hashes of the slots' keys, then the old values of slots that were swapped, then that of the intake. */
    private LocalBuffer results;

    /** A bucket that was allocated and that no other thread has seen, or null. */
    private long spare = RdmaPtr.NULL;

    MapSplit(MapDirectory directory, int slots, ComputeThread ct) {
        this.directory = directory;
        this.slots = slots;
        this.fresh = new MapBucket(slots, ct);
        this.chains = new MapChains(ct);
        this.results = allocateResults(ct);
    }

    private LocalBuffer allocateResults(ComputeThread ct) {
        return ct.allocateLocal((long) Long.BYTES * (2 * slots + 1));
    }

    /** After a failure, outstanding operations may still use the old local memory: they keep it. */
    void renewLocal(ComputeThread ct) {
        fresh.renewLocal(ct);
        results = allocateResults(ct);
    }

    /**
     * Splits a bucket in whose open intake nothing is empty, as it was READ as a whole, to make room for a hash. The
     * copy of the bucket is then that of the hash, open, as it is since the moment at which this thread opened it.
     *
     * @return false if another thread has changed the bucket meanwhile; the caller READs it again
     * @throws IllegalStateException if all its keys have the same hash
     */
    boolean split(MapBucket bucket, long hash, ComputeThread ct) {
        if (isInVain(bucket, hash, ct)) {
            checkFull(bucket, ct);
            return false;
        }
        takeSpare(ct);
        if (!close(bucket, ct) || !move(bucket, ct) || !reopen(bucket, ct)) {
            return false;
        }
        if (!bucket.owns(hash)) {
            bucket.take(bucket.next(), bucket.nextIndex(), fresh.staged(), 0);
        }
        return true;
    }

    /** Does what is left of the split of a closed bucket, as it was READ as a whole. The caller READs it again. */
    void help(MapBucket bucket, ComputeThread ct) {
        if (bucket.isSplitting()) {
            takeSpare(ct);
            readHashes(bucket, entries(bucket), ct);
            if (!move(bucket, ct)) {
                return;
            }
        }
        reopen(bucket, ct);
    }

    /** Allocated before anything is changed, since that fails if remote memory is full. */
    private void takeSpare(ComputeThread ct) {
        if (spare == RdmaPtr.NULL) {
            spare = ct.allocate(fresh.bytes());
        }
    }

    // ------------------------------------------------------------------------------------------------ in vain

    /**
     * Whether the keys agree in all bits that select buckets, so that no split tells them apart. One round trip, but
     * none if their fingerprints differ already.
     */
    private boolean isInVain(MapBucket bucket, long hash, ComputeThread ct) {
        if (bucket.depth() == MapWords.MAX_DEPTH) {
            return true;
        }
        for (int i = 0; i < slots; i++) {
            if (!MapWords.mayHold(bucket.slot(i), hash, bucket.depth())) {
                return false;
            }
        }
        readHashes(bucket, entries(bucket), ct);
        for (int i = 0; i < slots; i++) {
            if (((hash(i) ^ hash) & SELECTING) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Slots that did not change between two READs held their entries at the same moment. */
    private void checkFull(MapBucket bucket, ComputeThread ct) {
        fresh.read(bucket.pointer(), bucket.index(), ct);
        boolean isFull = true;
        for (int i = 0; i < slots; i++) {
            isFull &= fresh.slot(i) == bucket.slot(i);
        }
        if (isFull) {
            throw new IllegalStateException("more than " + slots + " keys have the same hash: " + bucket + " is full");
        }
    }

    // ------------------------------------------------------------------------------------------------ closing

    /** Closes the bucket, and READs the hashes of its entries. Returns false if another thread has changed it. */
    private boolean close(MapBucket bucket, ComputeThread ct) {
        long open = bucket.intake();
        long closed = MapWords.closed(open, bucket.depth());
        Sequence chain = ct.sequence();
        chain.compareAndSwap(bucket.intakePointer(), open, closed, results, swapped(slots));
        int left = addHashes(bucket, entries(bucket), RdmaPtr.node(bucket.pointer()), chain);
        chains.post(chain);
        readHashes(bucket, left, ct);
        if (results.getLong(swapped(slots)) != open) {
            return false;
        }
        bucket.setIntake(closed);
        return true;
    }

    private int entries(MapBucket bucket) {
        return (1 << slots) - 1 & ~bucket.vacant();
    }

    /** READs the hashes of some entries, in one chain for each Memory Node on which they are. */
    private void readHashes(MapBucket bucket, int entries, ComputeThread ct) {
        int left = entries;
        while (left != 0) {
            int node = RdmaPtr.node(MapWords.pointer(bucket.slot(Integer.numberOfTrailingZeros(left))));
            Sequence chain = ct.sequence();
            left = addHashes(bucket, left, node, chain);
            chains.post(chain);
        }
        chains.await();
    }

    /** Adds the READs of those hashes that are on a Memory Node; returns the entries that are left. */
    private int addHashes(MapBucket bucket, int entries, int node, Sequence chain) {
        int left = entries;
        for (int i = 0; i < slots; i++) {
            long block = MapWords.pointer(bucket.slot(i));
            if ((left >>> i & 1) != 0 && RdmaPtr.node(block) == node) {
                chain.read(block, results, (long) Long.BYTES * i, Long.BYTES);
                left &= ~(1 << i);
            }
        }
        return left;
    }

    private long hash(int i) {
        return results.getLong((long) Long.BYTES * i);
    }

    private long swapped(int i) {
        return (long) Long.BYTES * (slots + i);
    }

    // ------------------------------------------------------------------------------------------------ moving

    /**
     * Freezes the entries that move, writes them to a sibling, and makes that their place. The copy of the bucket shows
     * them frozen afterwards.
     *
     * @return false if another thread has changed one of them meanwhile, or was first
     */
    private boolean move(MapBucket bucket, ComputeThread ct) {
        long sibling = spare;
        stage(bucket);
        spare = RdmaPtr.NULL; // also after a failure: from now on another thread may find it, or the WRITE may be late
        freezeAndWrite(bucket, sibling, ct);
        if (!isFrozen(bucket)) {
            spare = sibling;
            return false;
        }
        long before = bucket.split();
        long after = MapWords.split(bucket.depth() + 1, sibling);
        if (ct.compareAndSwap(bucket.splitPointer(), before, after) != before) {
            spare = sibling;
            return false;
        }
        bucket.setSplit(after);
        return true;
    }

    /** Stages the sibling as it is to be if each entry that moves is frozen as it was READ. */
    private void stage(MapBucket bucket) {
        fresh.stageEmpty(bucket.depth() + 1, bucket.next());
        int count = 0;
        for (int i = 0; i < slots; i++) {
            if (moves(bucket, i)) {
                long slot = bucket.slot(i);
                fresh.stageEntry(count++, MapWords.isFrozen(slot) ? MapWords.thawed(slot, hash(i)) : slot);
            }
        }
    }

    private boolean moves(MapBucket bucket, int i) {
        return bucket.isEntry(i) && (hash(i) >>> bucket.depth() & 1) != 0;
    }

    /** The slots that this thread has to freeze, as far as its copy shows, as bits. */
    private int unfrozen(MapBucket bucket) {
        int unfrozen = 0;
        for (int i = 0; i < slots; i++) {
            unfrozen |= moves(bucket, i) && !MapWords.isFrozen(bucket.slot(i)) ? 1 << i : 0;
        }
        return unfrozen;
    }

    /** One round trip: the sibling is placed, but not published, when this returns. */
    private void freezeAndWrite(MapBucket bucket, long sibling, ComputeThread ct) {
        int left = unfrozen(bucket);
        Sequence chain = ct.sequence();
        chain.write(sibling, fresh.staged(), MapBucket.stagedOffset(), fresh.bytes());
        if (left != 0 && RdmaPtr.node(sibling) != RdmaPtr.node(bucket.pointer())) {
            chains.post(chain);
            chain = ct.sequence();
        }
        for (; left != 0; left &= left - 1) {
            int i = Integer.numberOfTrailingZeros(left);
            long slot = bucket.slot(i);
            long frozen = MapWords.frozen(slot, bucket.depth());
            chain.compareAndSwap(MapBucket.slotPointer(bucket.pointer(), i), slot, frozen, results, swapped(i));
        }
        chains.post(chain);
        chains.await();
    }

    /** Whether all entries that move were frozen as they are in the sibling, by this thread or another. */
    private boolean isFrozen(MapBucket bucket) {
        for (int left = unfrozen(bucket); left != 0; left &= left - 1) {
            int i = Integer.numberOfTrailingZeros(left);
            long slot = bucket.slot(i);
            long frozen = MapWords.frozen(slot, bucket.depth());
            long before = results.getLong(swapped(i));
            if (before != slot && before != frozen) {
                return false;
            }
            bucket.setSlot(i, frozen);
        }
        return true;
    }

    // ------------------------------------------------------------------------------------------------ reopening

    /** After the sibling was published: opens the bucket again. Returns false if another thread was first. */
    private boolean reopen(MapBucket bucket, ComputeThread ct) {
        directory.enter(bucket.nextIndex(), bucket.next(), ct);
        long closed = bucket.intake();
        long open = MapWords.open(MapWords.generation(closed) + 1, bucket.vacant());
        if (ct.compareAndSwap(bucket.intakePointer(), closed, open) != closed) {
            return false;
        }
        bucket.setIntake(open);
        return true;
    }

    /** Gives a bucket back that was not needed. */
    void releaseSpare(ComputeThread ct) {
        if (spare != RdmaPtr.NULL) {
            ct.free(spare, fresh.bytes());
            spare = RdmaPtr.NULL;
        }
    }
}
