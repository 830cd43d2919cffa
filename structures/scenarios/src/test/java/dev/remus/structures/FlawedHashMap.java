// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import dev.remus.structures.spec.HashMapHandle;
import dev.remus.structures.spec.MapOperation;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A hash map with a flaw, which the simulator must find. It takes the wrong decisions on its own, and leaves the layout
 * and the splits to the parts of the shipped map. Without a flaw it is right.
 */
final class FlawedHashMap implements HashMapHandle {
    /** The mistakes. */
    enum Flaw {
        /** None. */
        NONE,
        /** Some threads fill the last empty slot and not the first, so two of them may insert the same key. */
        ANY_EMPTY_SLOT,
        /** A batch fills two empty slots of a bucket by one chain, so the second key is not in the first empty slot. */
        BATCH_FILLS_TWO_SLOTS,
        /** Removed slots are filled again while others are still empty. */
        GENERATION_BEGUN_EARLY,
        /** A removal leaves the word that the slot had at first. */
        REMOVED_WITHOUT_GENERATION,
        /** A bucket is searched although the key was moved out of it. */
        OWNER_NOT_CHECKED,
        /** The split word is READ before the slots. */
        OWNER_CHECKED_BEFORE_THE_SLOTS,
        /** A frozen entry is changed while it is copied to another bucket. */
        FROZEN_ENTRY_CHANGED,
        /** In the chain, the slot comes before the block that it names. */
        SLOT_BEFORE_BLOCK,
        /** A new block is named on another Memory Node before it is placed. */
        UNPLACED_BLOCK_ACROSS_MEMORY_NODES,
        /** A block that was replaced is freed while others may be reading it. */
        BLOCK_FREED_AT_ONCE,
        /** A remembered block is read without its slot. */
        REMEMBERED_SLOT_NOT_READ,
        /** A walk goes through the buckets by their indices, and comes again to entries that a split has moved. */
        WALK_BY_INDICES,
        /** A walk goes on with the bucket that was the next one before this one was READ again. */
        WALK_PAST_A_SPLIT,
        /** A walk takes the slots of a bucket for those of one moment, although a key may have moved meanwhile. */
        WALK_READS_SLOTS_ONCE,
        /** Clearing leaves frozen entries to the bucket to which they move, which may not be the next one yet. */
        FROZEN_ENTRY_NOT_CLEARED,
        /** Clearing retires a block although another thread has removed it. */
        CLEARED_BLOCK_RETIRED_TWICE
    }

    /** Of the indices of buckets, those that a walk by indices visits. */
    private static final long INDICES = 1 << 16;

    private static final long INDEX_STEP = 64;

    /** A key's slot as it was found. */
    private record Place(long bucket, int slot, long word, int generation) {}

    private final Flaw flaw;
    private final long hashMask;
    private final MapDirectory directory;
    private final MapBucket bucket;
    private final MapSplit split;
    private final MapWalk walk;
    private final MapCore core;
    private final MapEntry sought;
    private final MapEntry found;
    /** What a batch sets beside the key of the operation: a key of this thread alone. */
    private final MapEntry own;

    private final LocalBuffer results;
    private long owns;
    private final Map<Long, Place> remembered = new HashMap<>();
    private long epoch;

    FlawedHashMap(RdmaPtr<?> This, Flaw flaw, ComputeThread ct) {
        this.flaw = flaw;
        RdmaPtr<MapTable> pointer = new RdmaPtr<>(This.raw());
        MapTable table = MapTable.open(pointer, ct);
        hashMask = table.hashMask();
        directory = new MapDirectory(table, KnownBuckets.ofOneHandle(), ct);
        bucket = new MapBucket(table.slots(), ct);
        split = new MapSplit(directory, table.slots(), ct);
        walk = new MapWalk(directory, bucket);
        core = new MapCore(pointer, 0, ct);
        sought = new MapEntry(ct);
        found = new MapEntry(ct);
        own = new MapEntry(ct);
        results = ct.allocateLocal(2L * Long.BYTES);
    }

    @Override
    public Optional<Long> execute(MapOperation<Long, Long> operation, ComputeThread ct) {
        sought.setKey(operation.key(), hashMask, ct);
        sought.setValue(operation.value().orElse(0L), ct);
        while (true) {
            Place place = find(operation.key(), ct);
            Optional<Long> value = place == null ? Optional.empty() : Optional.of(found.longValue());
            Optional<Long> expected = value.filter(v -> operation.expected().equals(Optional.of(v)));
            boolean isDone = switch (operation.kind()) {
                case GET -> true;
                case PUT -> place == null ? insert(ct) : replace(place, ct);
                case PUT_IF_ABSENT -> place != null || insert(ct);
                case REPLACE -> expected.isEmpty() || replace(place, ct);
                case REMOVE -> place == null || remove(place, ct);
                case REMOVE_VALUE -> expected.isEmpty() || remove(place, ct);
            };
            if (isDone) {
                return switch (operation.kind()) {
                    case REPLACE, REMOVE_VALUE -> expected;
                    default -> value;
                };
            }
            remembered.remove(operation.key());
            ct.pause();
        }
    }

    private Place find(long key, ComputeThread ct) {
        if (flaw == Flaw.REMEMBERED_SLOT_NOT_READ) {
            if (epoch != ct.reclamationEpoch()) {
                epoch = ct.reclamationEpoch();
                remembered.clear();
            }
            Place known = remembered.get(key);
            if (known != null) {
                read(known.word(), ct);
                return known;
            }
        }
        long hash = sought.hash();
        readBucket(hash, ct);
        for (int i = 0; i < bucket.slots(); i++) {
            long word = bucket.slot(i);
            if (MapWords.mayHold(word, hash, bucket.depth())) {
                read(word, ct);
                if (found.hasKeyOf(sought)) {
                    Place place = new Place(bucket.pointer(), i, word, MapWords.generation(bucket.intake()));
                    remembered.put(key, place);
                    return place;
                }
            }
        }
        return null;
    }

    private void read(long word, ComputeThread ct) {
        ct.read(MapWords.pointer(word), found.room(MapWords.UNIT, ct), 0, MapWords.UNIT);
    }

    private void readBucket(long hash, ComputeThread ct) {
        long pointer = directory.find(hash);
        bucket.read(pointer, directory.index(), ct);
        while (!bucket.owns(hash) && !(flaw == Flaw.OWNER_NOT_CHECKED && ct.id() % 2 == 0)) {
            pointer = directory.follow(bucket, hash, ct);
            bucket.read(pointer, directory.index(), ct);
        }
        if (flaw == Flaw.OWNER_CHECKED_BEFORE_THE_SLOTS) {
            bucket.read(pointer, directory.index(), ct);
        }
    }

    private boolean insert(ComputeThread ct) {
        if (!bucket.isWhole()) {
            return false;
        }
        if (MapWords.isClosed(bucket.intake())) {
            split.help(bucket, ct);
            return false;
        }
        int vacant = bucket.vacant();
        if (bucket.empty() == 0 && vacant == 0) {
            if (!split.split(bucket, sought.hash(), ct)) {
                return false;
            }
        } else if (bucket.empty() == 0 || flaw == Flaw.GENERATION_BEGUN_EARLY && bucket.empty() != vacant) {
            long before = bucket.intake();
            long after = MapWords.open(MapWords.generation(before) + 1, vacant);
            if (ct.compareAndSwap(bucket.intakePointer(), before, after) != before) {
                return false;
            }
            bucket.setIntake(after);
        }
        int empty = bucket.empty();
        if (empty == 0) {
            return false;
        }
        if (flaw == Flaw.BATCH_FILLS_TWO_SLOTS && Integer.bitCount(empty) > 1) {
            return insertBoth(empty, ct);
        }
        int i = flaw == Flaw.ANY_EMPTY_SLOT && ct.id() % 2 == 0
                ? Integer.SIZE - 1 - Integer.numberOfLeadingZeros(empty)
                : Integer.numberOfTrailingZeros(empty);
        return write(bucket.pointer(), i, bucket.slot(i), ct);
    }

    /** Inserts a key of this thread before that of the operation. */
    private boolean insertBoth(int empty, ComputeThread ct) {
        int first = Integer.numberOfTrailingZeros(empty);
        int second = Integer.numberOfTrailingZeros(empty & empty - 1);
        own.setKey(-1 - ct.id() - ++owns * ct.threads(), hashMask, ct);
        own.setValue(0, ct);
        int node = RdmaPtr.node(bucket.pointer());
        long ownBlock = ct.allocateOn(node, own.bytes());
        long block = ct.allocateOn(node, sought.bytes());
        if (!bucket.owns(own.hash()) || RdmaPtr.node(ownBlock) != node || RdmaPtr.node(block) != node) {
            return write(bucket.pointer(), first, bucket.slot(first), ct);
        }
        Sequence chain = ct.sequence();
        addInsertion(chain, own, ownBlock, first, 0);
        addInsertion(chain, sought, block, second, Long.BYTES);
        chain.execute();
        return results.getLong(Long.BYTES) == bucket.slot(second);
    }

    private void addInsertion(Sequence chain, MapEntry entry, long block, int i, int result) {
        chain.write(block, entry.memory(), 0, (int) entry.bytes())
                .compareAndSwap(
                        MapBucket.slotPointer(bucket.pointer(), i),
                        bucket.slot(i),
                        MapWords.live(block, entry.bytes(), entry.hash()),
                        results,
                        result);
    }

    private boolean replace(Place place, ComputeThread ct) {
        if (isFrozen(place, ct) || !write(place.bucket(), place.slot(), place.word(), ct)) {
            return false;
        }
        retire(place, ct);
        return true;
    }

    private boolean remove(Place place, ComputeThread ct) {
        int generation = flaw == Flaw.REMOVED_WITHOUT_GENERATION ? 0 : place.generation();
        long slot = MapBucket.slotPointer(place.bucket(), place.slot());
        if (isFrozen(place, ct)
                || ct.compareAndSwap(slot, place.word(), MapWords.removed(generation)) != place.word()) {
            return false;
        }
        retire(place, ct);
        remembered.values().remove(place);
        return true;
    }

    private boolean isFrozen(Place place, ComputeThread ct) {
        if (!MapWords.isFrozen(place.word()) || flaw == Flaw.FROZEN_ENTRY_CHANGED) {
            return false;
        }
        if (bucket.isWhole() && MapWords.isClosed(bucket.intake())) {
            split.help(bucket, ct);
        }
        return true;
    }

    private void retire(Place place, ComputeThread ct) {
        long block = MapWords.pointer(place.word());
        if (flaw == Flaw.BLOCK_FREED_AT_ONCE) {
            ct.free(block, found.bytes());
        } else {
            ct.schedReclaim(block, found.bytes());
        }
    }

    private boolean write(long bucketPointer, int i, long expected, ComputeThread ct) {
        int bytes = (int) sought.bytes();
        int node = RdmaPtr.node(bucketPointer);
        boolean isUnplaced = flaw == Flaw.UNPLACED_BLOCK_ACROSS_MEMORY_NODES;
        long block = ct.allocateOn(isUnplaced ? 1 - node : node, bytes);
        long slot = MapBucket.slotPointer(bucketPointer, i);
        long live = MapWords.live(block, bytes, sought.hash());
        if (RdmaPtr.node(block) == node) {
            if (flaw == Flaw.SLOT_BEFORE_BLOCK) {
                ct.sequence()
                        .compareAndSwap(slot, expected, live, results, 0)
                        .write(block, sought.memory(), 0, bytes)
                        .execute();
            } else {
                ct.sequence()
                        .write(block, sought.memory(), 0, bytes)
                        .compareAndSwap(slot, expected, live, results, 0)
                        .execute();
            }
            return results.getLong(0) == expected;
        }
        ct.sequence().write(block, sought.memory(), 0, bytes).post();
        if (!isUnplaced) {
            ct.place();
        }
        boolean isSwapped = ct.compareAndSwap(slot, expected, live) == expected;
        ct.place(); // before its local memory is used again
        return isSwapped;
    }

    @Override
    public void forEach(LongLongMap.LongLongConsumer action, ComputeThread ct) {
        if (flaw == Flaw.WALK_BY_INDICES) {
            for (long index = 0; index < INDICES; index += INDEX_STEP) {
                long pointer = directory.find(index);
                if (directory.index() == index) {
                    readWhole(pointer, index, ct);
                    acceptAll(action, ct);
                }
            }
            return;
        }
        for (walk.start(); nextBucket(ct); ) {
            acceptAll(action, ct);
        }
    }

    private boolean nextBucket(ComputeThread ct) {
        if (!walk.next(ct)) {
            return false;
        }
        if (flaw == Flaw.WALK_PAST_A_SPLIT) {
            long next = bucket.split();
            readWhole(bucket.pointer(), bucket.index(), ct);
            bucket.setSplit(next);
        } else if (flaw == Flaw.WALK_READS_SLOTS_ONCE) {
            readWhole(bucket.pointer(), bucket.index(), ct);
        }
        return true;
    }

    private void readWhole(long pointer, long index, ComputeThread ct) {
        bucket.read(pointer, index, ct);
        while (!bucket.isWhole()) {
            ct.pause();
            bucket.read(pointer, index, ct);
        }
    }

    private void acceptAll(LongLongMap.LongLongConsumer action, ComputeThread ct) {
        for (int i = 0; i < bucket.slots(); i++) {
            if (bucket.isEntry(i)) {
                read(bucket.slot(i), ct);
                action.accept(found.longKey(), found.longValue());
            }
        }
    }

    @Override
    public long size(ComputeThread ct) {
        return core.size(ct);
    }

    @Override
    public void clear(ComputeThread ct) {
        for (walk.start(); walk.next(ct); ) {
            while (!clearBucket(ct)) {
                ct.pause();
                bucket.read(bucket.pointer(), bucket.index(), ct);
            }
        }
    }

    private boolean clearBucket(ComputeThread ct) {
        int generation = MapWords.generation(bucket.intake());
        boolean isEmpty = true;
        for (int i = 0; i < bucket.slots(); i++) {
            if (bucket.isEntry(i)) {
                Place place = new Place(bucket.pointer(), i, bucket.slot(i), generation);
                if (MapWords.isFrozen(place.word()) && flaw == Flaw.FROZEN_ENTRY_NOT_CLEARED) {
                    continue;
                }
                read(place.word(), ct);
                if (!remove(place, ct)) {
                    isEmpty = false;
                    if (flaw == Flaw.CLEARED_BLOCK_RETIRED_TWICE && !MapWords.isFrozen(place.word())) {
                        retire(place, ct);
                    }
                }
            }
        }
        return isEmpty;
    }

    @Override
    public long checkedSize(ComputeThread ct) {
        return core.check(ct);
    }

    @Override
    public void destroy(ComputeThread ct) {
        core.destroy(ct);
    }
}
