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
 *   4. enter    the sibling, in the directory
 *   5. clean    frozen slots -> removed
 *   6. reopen   intake: closed -> the next generation
 * </pre>
 *
 * <p>Each step is a COMPARE_AND_SWAP that succeeds once in the life of the bucket, since depth and generation only
 * grow; step 4 is a WRITE of a value that never changes. So it does no harm if several threads do the same step,
 * however late.
 */
final class MapSplit {
    /** The bits of a hash that select its bucket. */
    private static final long SELECTING = (1L << MapWords.MAX_DEPTH) - 1;

    private final MapDirectory directory;
    private final int slots;
    private final MapBucket fresh;

    /** The hashes of the slots' keys, then the old values of words that were swapped. */
    private LocalBuffer results;

    /** A bucket that was allocated and that no other thread has seen, or null. */
    private long spare = RdmaPtr.NULL;

    MapSplit(MapDirectory directory, int slots, ComputeThread ct) {
        this.directory = directory;
        this.slots = slots;
        this.fresh = new MapBucket(slots, ct);
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
     * Splits a bucket in whose open intake nothing is empty, as it was READ as a whole, to make room for a hash. If
     * another thread has changed it meanwhile, this may do a part of it or nothing; the caller READs it again in any
     * case.
     *
     * @throws IllegalStateException if all its keys have the same hash
     */
    void begin(MapBucket bucket, long hash, ComputeThread ct) {
        readHashes(bucket, ct);
        if (isInVain(hash)) {
            checkFull(bucket, ct);
            return;
        }
        long open = bucket.intake();
        long closed = MapWords.closed(open, bucket.depth());
        if (ct.compareAndSwap(bucket.intakePointer(), open, closed) == open) {
            bucket.setIntake(closed);
            if (freeze(bucket, ct) && publish(bucket, ct)) {
                finish(bucket, ct);
            }
        }
    }

    /** Whether the keys agree in all bits that select buckets, so that no split tells them apart. */
    private boolean isInVain(long hash) {
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

    /** Does what is left of the split of a closed bucket, as it was READ as a whole. The caller READs it again. */
    void help(MapBucket bucket, ComputeThread ct) {
        if (bucket.isSplitting()) {
            readHashes(bucket, ct);
        }
        if (!bucket.isSplitting() || freeze(bucket, ct) && publish(bucket, ct)) {
            finish(bucket, ct);
        }
    }

    // ------------------------------------------------------------------------------------------------ moving

    /**
     * Freezes the entries that move, and stages the sibling. The copy of the bucket shows them frozen afterwards.
     *
     * @return false if another thread has changed one of them meanwhile
     */
    private boolean freeze(MapBucket bucket, ComputeThread ct) {
        int depth = bucket.depth();
        Sequence sequence = ct.sequence();
        for (int i = 0; i < slots; i++) {
            long slot = bucket.slot(i);
            if (moves(slot, i, depth) && !MapWords.isFrozen(slot)) {
                sequence.compareAndSwap(
                        MapBucket.slotPointer(bucket.pointer(), i),
                        slot,
                        MapWords.frozen(slot, depth),
                        results,
                        swapped(i));
            }
        }
        sequence.execute();
        for (int i = 0; i < slots; i++) {
            long slot = bucket.slot(i);
            if (moves(slot, i, depth) && !MapWords.isFrozen(slot)) {
                long found = results.getLong(swapped(i));
                if (found == slot) {
                    bucket.setSlot(i, MapWords.frozen(slot, depth));
                } else if (MapWords.isFrozenAt(found, depth) || MapWords.isRemoved(found)) {
                    bucket.setSlot(i, found);
                } else {
                    return false;
                }
            }
        }
        return true;
    }

    private long swapped(int i) {
        return (long) Long.BYTES * (slots + i);
    }

    private boolean moves(long slot, int i, int depth) {
        return !MapWords.isRemoved(slot) && (hash(i) >>> depth & 1) != 0;
    }

    private long hash(int i) {
        return results.getLong((long) Long.BYTES * i);
    }

    /** READs the hashes of all entries, in one chain for each Memory Node on which they are. */
    private void readHashes(MapBucket bucket, ComputeThread ct) {
        int left = (1 << slots) - 1 & ~bucket.removed();
        while (left != 0) {
            int node = RdmaPtr.node(MapWords.pointer(bucket.slot(Integer.numberOfTrailingZeros(left))));
            Sequence sequence = ct.sequence();
            for (int i = 0; i < slots; i++) {
                long block = MapWords.pointer(bucket.slot(i));
                if ((left >>> i & 1) != 0 && RdmaPtr.node(block) == node) {
                    sequence.read(block, results, (long) Long.BYTES * i, Long.BYTES);
                    left &= ~(1 << i);
                }
            }
            sequence.execute();
        }
    }

    /**
     * Makes the sibling, and makes it the place of the frozen entries.
     *
     * @return false if another thread was first
     */
    private boolean publish(MapBucket bucket, ComputeThread ct) {
        int depth = bucket.depth();
        fresh.stageEmpty(depth + 1);
        int count = 0;
        for (int i = 0; i < slots; i++) {
            if (MapWords.isFrozen(bucket.slot(i))) {
                fresh.stageEntry(count++, MapWords.thawed(bucket.slot(i), hash(i)));
            }
        }
        long sibling = spare == RdmaPtr.NULL ? ct.allocate(fresh.bytes()) : spare;
        spare = RdmaPtr.NULL; // even after a failure: from now on another thread may find it
        long before = bucket.split();
        long after = MapWords.split(depth + 1, sibling);
        long found;
        if (RdmaPtr.node(sibling) == RdmaPtr.node(bucket.pointer())) {
            long result = swapped(slots);
            ct.sequence()
                    .write(sibling, fresh.staged(), MapBucket.stagedOffset(), fresh.bytes())
                    .compareAndSwap(bucket.splitPointer(), before, after, results, result)
                    .execute();
            found = results.getLong(result);
        } else {
            ct.write(sibling, fresh.staged(), MapBucket.stagedOffset(), fresh.bytes());
            found = ct.compareAndSwap(bucket.splitPointer(), before, after);
        }
        if (found != before) {
            spare = sibling;
            return false;
        }
        bucket.setSplit(after);
        return true;
    }

    // ------------------------------------------------------------------------------------------------ cleaning up

    /** After the sibling was published: opens the bucket again. */
    private void finish(MapBucket bucket, ComputeThread ct) {
        int depth = bucket.depth() - 1;
        directory.enter(bucket.index() | 1L << depth, bucket.sibling(), ct);
        int generation = MapWords.generation(bucket.intake());
        int empty = bucket.removed();
        Sequence sequence = ct.sequence();
        for (int i = 0; i < slots; i++) {
            if (MapWords.isFrozen(bucket.slot(i))) {
                sequence.compareAndSwap(
                        MapBucket.slotPointer(bucket.pointer(), i),
                        bucket.slot(i),
                        MapWords.removed(generation),
                        results,
                        swapped(i));
                empty |= 1 << i;
            }
        }
        sequence.execute();
        ct.compareAndSwap(bucket.intakePointer(), bucket.intake(), MapWords.open(generation + 1, empty));
    }

    /** Gives a bucket back that was not needed. */
    void releaseSpare(ComputeThread ct) {
        if (spare != RdmaPtr.NULL) {
            ct.free(spare, fresh.bytes());
            spare = RdmaPtr.NULL;
        }
    }
}
