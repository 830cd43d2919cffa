// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;

/**
 * A bucket of a hash map as a thread has READ it. {@link MapWords} lays out its words.
 *
 * <pre>
 *  0        8       16       24           256       in remote memory, 64-byte aligned
 *  +--------+-------+--------+-----  -----+
 *  | intake | split | slot 0 |    ...     |         each word changes by COMPARE_AND_SWAP only
 *  +--------+-------+--------+-----  -----+
 *
 *  0        8       16       24      32                                       this copy
 *  +--------+-------+--------+-------+--------+-----  -----+--------+-----  -----+
 *  | intake | split | intake | split | slot 0 |    ...     | slot 0 |    ...     |
 *  +--------+-------+--------+-------+--------+-----  -----+--------+-----  -----+
 *   READ first       READ last        READ in between       READ once more, if asked for
 * </pre>
 *
 * <p>The READs of a chain execute in order. So the second split word is of a later moment than all slots. If both
 * words were the same before and after the slots, the copy is <em>whole</em>: all slots are of the generation and of
 * the depth that these words name. But they may be of different moments: a key that was removed and inserted again may
 * be in two of them. In a generation, a slot that has lost its entry gets no other one. So if all entries are still
 * there when the slots are READ once more, there was a moment at which all of them were: the copy is <em>steady</em>.
 */
final class MapBucket {
    private static final int HEADER = 16;
    private static final int INTAKE_BEFORE = 0;
    private static final int SPLIT_BEFORE = 8;
    private static final int INTAKE = 16;
    private static final int SPLIT = 24;
    private static final int SLOTS = 32;

    private final int slots;
    private LocalBuffer memory;
    private long pointer;
    private long index;

    MapBucket(int slots, ComputeThread ct) {
        this.slots = slots;
        this.memory = allocate(ct);
    }

    private LocalBuffer allocate(ComputeThread ct) {
        return ct.allocateLocal(SLOTS + 2L * Long.BYTES * slots);
    }

    /** After a failure, outstanding operations may still use the old local memory: they keep it. */
    void renewLocal(ComputeThread ct) {
        memory = allocate(ct);
    }

    /** The bytes of a bucket in remote memory. */
    int bytes() {
        return HEADER + Long.BYTES * slots;
    }

    int slots() {
        return slots;
    }

    // ------------------------------------------------------------------------------------------------ reading

    /** READs a bucket, given its index in the directory. One round trip. */
    void read(long bucket, long bucketIndex, ComputeThread ct) {
        pointer = bucket;
        index = bucketIndex;
        ct.sequence()
                .read(bucket, memory, INTAKE_BEFORE, HEADER)
                .read(bucket + HEADER, memory, SLOTS, Long.BYTES * slots)
                .read(bucket, memory, INTAKE, HEADER)
                .execute();
    }

    /** The same with the slots once more, for {@link #isSteady}. */
    void readTwice(long bucket, long bucketIndex, ComputeThread ct) {
        pointer = bucket;
        index = bucketIndex;
        ct.sequence()
                .read(bucket, memory, INTAKE_BEFORE, HEADER)
                .read(bucket + HEADER, memory, SLOTS, Long.BYTES * slots)
                .read(bucket + HEADER, memory, copyBytes(), Long.BYTES * slots)
                .read(bucket, memory, INTAKE, HEADER)
                .execute();
    }

    /** Adds what a look-up needs to a sequence, whose result goes to other local memory. */
    void readSlotsIn(Sequence sequence, long bucket, LocalBuffer to, long offset) {
        sequence.read(bucket + HEADER, to, offset + SLOTS, Long.BYTES * slots)
                .read(bucket, to, offset + INTAKE, HEADER);
    }

    /** Adds the READ of what comes before the slots in a whole bucket, before {@link #readSlotsIn}. */
    void readBeforeSlotsIn(Sequence sequence, long bucket, LocalBuffer to, long offset) {
        sequence.read(bucket, to, offset + INTAKE_BEFORE, HEADER);
    }

    /** Takes over what {@link #readSlotsIn} has READ, and {@link #readBeforeSlotsIn} before. */
    void takeWhole(long bucket, long bucketIndex, LocalBuffer from, long offset) {
        take(bucket, bucketIndex, from, offset);
        memory.putLong(INTAKE_BEFORE, from.getLong(offset + INTAKE_BEFORE));
        memory.putLong(SPLIT_BEFORE, from.getLong(offset + SPLIT_BEFORE));
    }

    /** Takes over what {@link #readSlotsIn} has READ. It is no {@linkplain #isWhole whole} bucket. */
    void take(long bucket, long bucketIndex, LocalBuffer from, long offset) {
        pointer = bucket;
        index = bucketIndex;
        for (int at = INTAKE; at < copyBytes(); at += Long.BYTES) {
            memory.putLong(at, from.getLong(offset + at));
        }
        memory.putLong(INTAKE_BEFORE, ~intake());
    }

    /** The bytes of a copy. */
    int copyBytes() {
        return SLOTS + Long.BYTES * slots;
    }

    long pointer() {
        return pointer;
    }

    /** Its place in the directory: the bits that the hashes of its keys end with. */
    long index() {
        return index;
    }

    long intake() {
        return memory.getLong(INTAKE);
    }

    long split() {
        return memory.getLong(SPLIT);
    }

    int depth() {
        return MapWords.depth(split());
    }

    /**
     * The bucket that comes next, in the order of the hashes' reversed bits; null for the last one. It took the entries
     * of this bucket's last split, and may have been split since.
     */
    long next() {
        return MapWords.pointer(split());
    }

    /** The index of the next bucket. Reversed, the hashes of this bucket are an interval: the next one follows it. */
    long nextIndex() {
        return Long.reverse(Long.reverse(index) + (1L << Long.SIZE - depth()));
    }

    long slot(int i) {
        return memory.getLong(SLOTS + Long.BYTES * i);
    }

    long intakePointer() {
        return pointer;
    }

    long splitPointer() {
        return pointer + Long.BYTES;
    }

    static long slotPointer(long bucket, int i) {
        return bucket + HEADER + (long) Long.BYTES * i;
    }

    /** Whether all slots are of the generation of the intake, and of the depth of the split word. */
    boolean isWhole() {
        return memory.getLong(INTAKE_BEFORE) == intake() && memory.getLong(SPLIT_BEFORE) == split();
    }

    /** After {@link #readTwice}: whether the copy is whole, and has the entries of one moment. */
    boolean isSteady() {
        if (!isWhole()) {
            return false;
        }
        for (int i = 0; i < slots; i++) {
            if (isEntry(i) && !isEntry(memory.getLong(copyBytes() + Long.BYTES * i))) {
                return false;
            }
        }
        return true;
    }

    /** Whether the keys of a hash belong here. */
    boolean owns(long hash) {
        return ((hash ^ index) & (1L << depth()) - 1) == 0;
    }

    /** Whether the bucket is closed, and its entries have not moved yet. */
    boolean isSplitting() {
        return MapWords.isClosed(intake()) && MapWords.wasClosedAt(intake(), depth());
    }

    /** Whether a slot holds an entry of this bucket: not one that was removed, or that a split has moved. */
    boolean isEntry(int i) {
        return isEntry(slot(i));
    }

    private boolean isEntry(long slot) {
        return !MapWords.isRemoved(slot) && (!MapWords.isFrozen(slot) || MapWords.isFrozenAt(slot, depth()));
    }

    /** The slots that an insertion may fill now, as bits. */
    int empty() {
        int generation = MapWords.generation(intake());
        int empty = 0;
        for (int left = MapWords.slots(intake()); left != 0; left &= left - 1) {
            int i = Integer.numberOfTrailingZeros(left);
            if (!isEntry(i) && !MapWords.wasRemovedSince(slot(i), generation)) {
                empty |= 1 << i;
            }
        }
        return empty;
    }

    /** The slots without an entry, as bits: what an insertion may fill in the next generation. */
    int vacant() {
        int vacant = 0;
        for (int i = 0; i < slots; i++) {
            vacant |= isEntry(i) ? 0 : 1 << i;
        }
        return vacant;
    }

    /** Sets the copy's intake, after this thread has changed it. */
    void setIntake(long intake) {
        memory.putLong(INTAKE, intake);
    }

    /** Sets a slot of the copy, after this thread has changed it. */
    void setSlot(int i, long slot) {
        memory.putLong(SLOTS + Long.BYTES * i, slot);
    }

    /** Sets the copy's split word, after this thread has changed it. */
    void setSplit(long split) {
        memory.putLong(SPLIT, split);
    }

    // ------------------------------------------------------------------------------------------------ staging

    /** The copy as a new bucket of a depth without entries, before a next one. */
    void stageEmpty(int depth, long next) {
        setIntake(MapWords.open(1, (1 << slots) - 1));
        setSplit(MapWords.split(depth, next));
        for (int i = 0; i < slots; i++) {
            setSlot(i, MapWords.removed(0));
        }
    }

    /** Adds an entry to a staged bucket. */
    void stageEntry(int i, long live) {
        setSlot(i, live);
        setIntake(MapWords.open(1, MapWords.slots(intake()) & ~(1 << i)));
    }

    /** The local memory of a staged bucket. */
    LocalBuffer staged() {
        return memory;
    }

    /** Where in it a WRITE of the bucket begins. */
    static int stagedOffset() {
        return INTAKE;
    }

    @Override
    public String toString() {
        return "bucket " + Long.toHexString(index) + " of depth " + depth() + " at (" + RdmaPtr.toString(pointer) + ")";
    }
}
