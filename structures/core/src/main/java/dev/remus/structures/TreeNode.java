package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.LockWords;
import dev.remus.node.Sequence;
import java.util.Arrays;

/**
 * A copy of a node of an ordered map, in this thread's local memory. Leaves and inner nodes are alike: the value of an
 * inner entry is the pointer of the child whose keys begin at the entry's key.
 *
 * <pre>
 *  0      8       16    24     32     40                  64
 *  +------+-------+-----+------+------+-----+-------+------+-----+-------+------+-----  in remote memory,
 *  | lock | state | low | high | link | key | value | seal | key | value | seal | ...   64-byte aligned
 *  +------+-------+-----+------+------+-----+-------+------+-----+-------+------+-----
 *                  never | change when | slot 0             | slot 1
 *                changes | it is split |
 *                        | or widened  |
 *
 *  state: 58 bits of a version, and 6 bits of the level, which never change
 *  link:  the pointer of the next node; the lowest bit is set when this node is gone
 * </pre>
 *
 * <p>The node owns the keys from {@code low} up to, but not including, {@code high}. The node behind {@code link} owns
 * those that follow; if there is none, {@code high} means nothing. A slot holds an entry if the lowest bit of its seal
 * is set. Entries are in no order, and an entry stays in its slot until it is removed or moves to another node.
 *
 * <p>A node that is <em>gone</em> owns no keys and changes no more. Its bounds are as before, for the thread that lets
 * its left neighbour own its keys.
 *
 * <p><b>Seals.</b> The other bits of a seal are a checksum of the entry, {@code high} and {@code link}; if the slot is
 * empty, of {@code high} and {@code link} only. The words of a READ may be of different moments. A <em>whole</em>
 * copy, in which all seals fit, is not: the design note {@code structures/core/design/LongLongTree.md} explains why it
 * is as good as one that was taken at a single moment. Two different contents have the same seal with a probability of
 * 2<sup>-63</sup>.
 *
 * <p><b>Version.</b> A greater version is written before each change of a seal, in the same holding of the lock. {@link
 * TreeSnapshot} relies on that.
 *
 * <p>The lock is a word of {@link LockWords}. Only its holder changes anything else.
 */
class TreeNode {
    static final int LOCK = 0;
    static final int LOW = 16;
    private static final int STATE = 8;
    private static final int HIGH = 24;
    private static final int LINK = 32;
    private static final int SLOTS = 40;
    private static final int VALUE = 8;
    private static final int SEAL = 16;
    private static final int SLOT_BYTES = 24;
    private static final int LEVEL_BITS = 6;
    private static final long ONE_VERSION = 1L << LEVEL_BITS;
    private static final long LEVELS = ONE_VERSION - 1;
    private static final long PRESENT = 1;
    private static final long GONE = 1;
    private static final long LINK_BITS = 63;
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private final int slots;
    private LocalBuffer memory;
    private long pointer;

    TreeNode(int slots, ComputeThread ct) {
        this.slots = slots;
        this.memory = ct.allocateLocal(localBytes());
    }

    /** Another copy, of a node that is as large. */
    TreeNode another(ComputeThread ct) {
        return new TreeNode(slots, ct);
    }

    /** After a failure, outstanding operations may still use the old local memory: they keep it. */
    final void renewLocal(ComputeThread ct) {
        memory = ct.allocateLocal(localBytes());
    }

    final int bytes() {
        return SLOTS + SLOT_BYTES * slots;
    }

    /** Behind the node, the copy has the words that {@link #readAsPinnedIn} READs before it. */
    private int localBytes() {
        return bytes() + 2 * Long.BYTES;
    }

    final int slots() {
        return slots;
    }

    // ------------------------------------------------------------------------------------------------ reading

    /** READs a node. One round trip. */
    final void read(long node, ComputeThread ct) {
        pointer = node;
        ct.read(node, memory, 0, bytes());
    }

    /** Adds the READ of a node to a chain. */
    final Sequence readIn(Sequence chain, long node) {
        pointer = node;
        return chain.read(node, memory, 0, bytes());
    }

    /**
     * Adds the READ of a node to a chain, and before it those of its state and its lock, in this order. READs overtake
     * nothing.
     */
    final Sequence readAsPinnedIn(Sequence chain, long node) {
        readStateIn(chain, node, memory, bytes());
        chain.read(node + LOCK, memory, bytes() + Long.BYTES, Long.BYTES);
        return readIn(chain, node);
    }

    /** The state that was READ before the node. */
    final long stateBefore() {
        return memory.getLong(bytes());
    }

    /** Adds the READ of a node's present state to a chain. */
    static Sequence readStateIn(Sequence chain, long node, LocalBuffer to, long toOffset) {
        return chain.read(node + STATE, to, toOffset, Long.BYTES);
    }

    /** Whether no thread had the node locked at a moment between the READs of its state and of its entries. */
    final boolean wasFree() {
        return memory.getLong(bytes() + Long.BYTES) == LockWords.FREE;
    }

    final long pointer() {
        return pointer;
    }

    final long lock() {
        return memory.getLong(LOCK);
    }

    final int level() {
        return (int) (state() & LEVELS);
    }

    final long state() {
        return memory.getLong(STATE);
    }

    /** A state as text. */
    static String stateText(long state) {
        return "level " + (state & LEVELS) + ", version " + (state >>> LEVEL_BITS);
    }

    final long low() {
        return memory.getLong(LOW);
    }

    final long high() {
        return memory.getLong(HIGH);
    }

    /** The pointer of the next node on its level, or null. */
    final long link() {
        return linked(linkWord());
    }

    /** The pointer in a word of a link: nodes are 64-byte aligned. */
    static long linked(long word) {
        return word & ~LINK_BITS;
    }

    private long linkWord() {
        return memory.getLong(LINK);
    }

    /** Whether no node follows on its level. */
    final boolean isLast() {
        return link() == RdmaPtr.NULL;
    }

    /** Whether the node was empty, and its left neighbour owns its keys now, or will. */
    boolean isGone() {
        return isGone(linkWord());
    }

    private static boolean isGone(long word) {
        return (word & GONE) != 0;
    }

    /** READs whether a node is gone. One round trip. */
    static boolean isGone(long node, ComputeThread ct) {
        return isGone(ct.read(node + LINK));
    }

    /** Whether a key belongs to this node. */
    boolean owns(long key) {
        return !isGone() && low() <= key && (isLast() || key < high());
    }

    final boolean isPresent(int slot) {
        return isPresent(seal(slot));
    }

    /** Whether a slot with this seal holds an entry. */
    static boolean isPresent(long seal) {
        return (seal & PRESENT) != 0;
    }

    final long key(int slot) {
        return memory.getLong(at(slot));
    }

    final long value(int slot) {
        return memory.getLong(at(slot) + VALUE);
    }

    private long seal(int slot) {
        return memory.getLong(at(slot) + SEAL);
    }

    private static long at(int slot) {
        return SLOTS + (long) SLOT_BYTES * slot;
    }

    /** The slot of an entry whose seal fits, or -1. */
    final int find(long key) {
        for (int i = 0; i < slots; i++) {
            if (key(i) == key && isPresent(i) && seal(i) == fitting(i, salt())) {
                return i;
            }
        }
        return -1;
    }

    /** The number of entries. */
    final int size() {
        int size = 0;
        for (int i = 0; i < slots; i++) {
            size += isPresent(i) ? 1 : 0;
        }
        return size;
    }

    /** The first slot without an entry, or -1. */
    final int empty() {
        int i = 0;
        while (i < slots && isPresent(i)) {
            i++;
        }
        return i < slots ? i : -1;
    }

    /**
     * Copies the entries to arrays, by ascending keys, each once; returns their number. A copy may show a key twice
     * that was removed from one slot and inserted into another during its READ.
     */
    final int sort(long[] keys, long[] values) {
        int count = 0;
        for (int i = 0; i < slots; i++) {
            if (isPresent(i) && !isAmong(keys, count, key(i))) {
                long key = key(i);
                int to = count++;
                for (; to > 0 && keys[to - 1] > key; to--) {
                    keys[to] = keys[to - 1];
                    values[to] = values[to - 1];
                }
                keys[to] = key;
                values[to] = value(i);
            }
        }
        return count;
    }

    private static boolean isAmong(long[] sorted, int count, long key) {
        return Arrays.binarySearch(sorted, 0, count, key) >= 0;
    }

    // ------------------------------------------------------------------------------------------------ seals

    /** Whether all seals fit, so that the copy shows the node as it was at some moment of the READ. */
    boolean isWhole() {
        long salt = salt();
        for (int i = 0; i < slots; i++) {
            if (seal(i) != fitting(i, salt)) {
                return false;
            }
        }
        return true;
    }

    /** What all seals of a node have in common while its bounds are the same. */
    long salt() {
        return mixed(high() + mixed(linkWord()));
    }

    private long fitting(int slot, long salt) {
        return isPresent(slot) ? mixed(mixed(key(slot) + salt) + value(slot)) | PRESENT : mixed(salt) & ~PRESENT;
    }

    private static long mixed(long word) {
        long product = (word ^ word >>> 32) * MIX;
        return product ^ product >>> 29;
    }

    private void setSeal(int slot, boolean isPresent) {
        long seal = at(slot) + SEAL;
        memory.putLong(seal, isPresent ? PRESENT : 0);
        memory.putLong(seal, fitting(slot, salt()));
    }

    // ------------------------------------------------------------------------------------------------ changing

    /** Makes the copy that of a new node without entries. */
    final void stage(int level, long low, long high, long link) {
        memory.putLong(LOCK, LockWords.FREE);
        memory.putLong(STATE, level);
        memory.putLong(LOW, low);
        setBounds(high, link);
        for (int i = 0; i < slots; i++) {
            setEmpty(i);
        }
    }

    final void setEntry(int slot, long key, long value) {
        memory.putLong(at(slot), key);
        memory.putLong(at(slot) + VALUE, value);
        setSeal(slot, true);
    }

    final void setEmpty(int slot) {
        setSeal(slot, false);
    }

    private void setBounds(long high, long link) {
        memory.putLong(HIGH, high);
        memory.putLong(LINK, link);
    }

    private void renewVersion() {
        memory.putLong(STATE, state() + ONE_VERSION);
    }

    /** Changes the bounds, empties the slots of entries that the node no longer owns, and seals all. */
    final void bound(long high, long link) {
        renewVersion();
        setBounds(high, link);
        for (int i = 0; i < slots; i++) {
            setSeal(i, isPresent(i) && owns(key(i)));
        }
    }

    /** Changes the upper bound, and seals all slots anew. */
    final void bound(long high) {
        bound(high, linkWord());
    }

    /** Declares that the node is gone. It has no entries then. */
    final void markGone() {
        bound(high(), linkWord() | GONE);
    }

    /** Gives all keys of an empty leaf to another one, and keeps the root that is above that in a slot, as a value. */
    final void forward(long root, long leaf) {
        setEntry(0, Long.MIN_VALUE, root);
        bound(Long.MIN_VALUE, leaf);
    }

    /** Whether a node that ends there has {@linkplain #forward given} all its keys away. No split does so. */
    static boolean isForwarded(long high) {
        return high == Long.MIN_VALUE;
    }

    /** READs the root to which a node leads. Its WRITE was placed before the link by which this thread has passed. */
    static long forwardedRoot(long node, ComputeThread ct) {
        return ct.read(node + at(0) + VALUE);
    }

    /** WRITEs what {@link #forward} has changed: the root, then the bounds, then the seals. */
    void writeForwardingIn(Sequence chain) {
        writeWordsIn(chain, 0);
        writeBoundsIn(chain);
        writeSlotsIn(chain);
    }

    /**
     * WRITEs a new version, then an entry, and its seal after it. If this thread dies in between, the slot still is
     * empty; or, if it had an entry of that key, it has one whose value is known and whose seal does not fit.
     */
    void writeEntryIn(Sequence chain, int slot) {
        writeVersionIn(chain);
        writeWordsIn(chain, slot);
        writeSealIn(chain, slot);
    }

    /** WRITEs a new version, then the seal of a slot that has become empty. */
    void writeRemovalIn(Sequence chain, int slot) {
        writeVersionIn(chain);
        writeSealIn(chain, slot);
    }

    final void writeVersionIn(Sequence chain) {
        renewVersion();
        chain.write(pointer + STATE, memory, STATE, Long.BYTES);
    }

    /** WRITEs the key and the value of a slot. */
    final void writeWordsIn(Sequence chain, int slot) {
        chain.write(pointer + at(slot), memory, at(slot), SEAL);
    }

    /** WRITEs the seal of a slot. */
    final void writeSealIn(Sequence chain, int slot) {
        chain.write(pointer + at(slot) + SEAL, memory, at(slot) + SEAL, Long.BYTES);
    }

    /** WRITEs the bounds, with the version that {@link #bound} has renewed. */
    final void writeBoundsIn(Sequence chain) {
        chain.write(pointer + STATE, memory, STATE, SLOTS - STATE);
    }

    /** WRITEs all slots. */
    final void writeSlotsIn(Sequence chain) {
        chain.write(pointer + SLOTS, memory, SLOTS, SLOT_BYTES * slots);
    }

    /** WRITEs a new node, which no other thread knows. Until it is linked, its lock is an ordinary word. */
    final void writeIn(Sequence chain, long node) {
        pointer = node;
        chain.write(node, memory, 0, bytes());
    }

    /** The same at once: it is placed when this returns. One round trip. */
    final void write(long node, ComputeThread ct) {
        pointer = node;
        ct.write(node, memory, 0, bytes());
    }

    @Override
    public String toString() {
        return "node at (" + RdmaPtr.toString(pointer) + ") of level " + level() + " with keys from " + low()
                + (isLast() ? "" : " to below " + high()) + (isGone() ? ", which is gone" : "");
    }
}
