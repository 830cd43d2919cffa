// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.LockWords;
import dev.remus.node.Sequence;

/**
 * A copy of a node of an ordered map, in this thread's local memory. Leaves and inner nodes are alike: the value of an
 * inner entry is the pointer of the child whose keys begin at the entry's key.
 *
 * <pre>
 *  0      8       16    24     32     40                  64      if keys have one word
 *  +------+-------+-----+------+------+-----+-------+------+-----+-------+------+-----  in remote memory,
 *  | lock | state | low | high | link | key | value | seal | key | value | seal | ...   64-byte aligned
 *  +------+-------+-----+------+------+-----+-------+------+-----+-------+------+-----
 *                  never | change when | slot 0             | slot 1
 *                changes | it is split |
 *                        | or widened  |
 *
 *  low, high, key: as many words as the keys of the map have
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
class TreeNode extends TreeWords {
    private static final int LEVEL_BITS = 6;
    private static final long ONE_VERSION = 1L << LEVEL_BITS;
    private static final long LEVELS = ONE_VERSION - 1;
    private static final long PRESENT = 1;
    private static final long GONE = 1;
    private static final long LINK_BITS = 63;
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private final TreeKey lowest;
    private final TreeKey scratch;
    private long pointer;

    /** Makes a copy of a node that has keys of so many words, and so many slots. */
    TreeNode(int words, int slots, ComputeThread ct) {
        super(words, slots, ct);
        lowest = TreeKey.lowest(words);
        scratch = new TreeKey(words);
    }

    /** Another copy, of a node that is as large. */
    TreeNode another(ComputeThread ct) {
        return new TreeNode(words, slots, ct);
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

    /** The pointer of the next node on its level, or null. */
    final long link() {
        return linked(linkWord());
    }

    /** The pointer in a word of a link: nodes are 64-byte aligned. */
    static long linked(long word) {
        return word & ~LINK_BITS;
    }

    private long linkWord() {
        return memory.getLong(link);
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
    final boolean isGone(long node, ComputeThread ct) {
        return isGone(ct.read(node + link));
    }

    /** Whether it ends above a key, or no node follows. */
    final boolean endsAbove(TreeKey key) {
        return isLast() || compare(high, key) > 0;
    }

    /** Whether a key belongs to this node. */
    boolean owns(TreeKey key) {
        return !isGone() && !beginsAbove(key) && endsAbove(key);
    }

    final boolean isPresent(int slot) {
        return isPresent(seal(slot));
    }

    /** Whether a slot with this seal holds an entry. */
    static boolean isPresent(long seal) {
        return (seal & PRESENT) != 0;
    }

    /** The slot of an entry whose seal fits, or -1. */
    final int find(TreeKey key) {
        LocalBuffer from = memory;
        long word = key.word();
        long at = firstSlot;
        for (int i = 0; i < slots; i++, at += slotBytes) {
            if (from.getLong(at) == word && hasKey(i, key) && isPresent(i) && seal(i) == fitting(i, salt())) {
                return i;
            }
        }
        return -1;
    }

    /** Whether a slot that has the first word of a key has all of them. */
    boolean hasKey(int slot, TreeKey key) {
        return words == 1 || compareKey(slot, key) == 0;
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
     * Copies the entries to a list, each once. A copy may show a key twice that was removed from one slot and inserted
     * into another during its READ.
     */
    final void sort(TreeEntries to) {
        to.clear();
        for (int i = 0; i < slots; i++) {
            if (isPresent(i)) {
                to.insert(key(i, scratch), value(i));
            }
        }
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
        return mixedKey(high, mixed(linkWord()));
    }

    private long fitting(int slot, long salt) {
        return isPresent(slot) ? mixed(mixedKey(at(slot), salt) + value(slot)) | PRESENT : mixed(salt) & ~PRESENT;
    }

    /** Mixes all words of a key into a checksum. */
    private long mixedKey(long at, long checksum) {
        long mixed = mixed(memory.getLong(at) + checksum);
        if (words == 1) {
            return mixed;
        }
        for (int i = 1; i < words; i++) {
            mixed = mixed(memory.getLong(at + (long) i * Long.BYTES) + mixed);
        }
        return mixed;
    }

    private static long mixed(long word) {
        long product = (word ^ word >>> 32) * MIX;
        return product ^ product >>> 29;
    }

    private void setSeal(int slot, boolean isPresent) {
        long at = at(slot) + seal;
        memory.putLong(at, isPresent ? PRESENT : 0);
        memory.putLong(at, fitting(slot, salt()));
    }

    // ------------------------------------------------------------------------------------------------ changing

    /** Makes the copy that of a new node without entries. */
    final void stage(int level, TreeKey low, TreeKey newHigh, long newLink) {
        memory.putLong(LOCK, LockWords.FREE);
        memory.putLong(STATE, level);
        putKey(LOW, low);
        setBounds(newHigh, newLink);
        for (int i = 0; i < slots; i++) {
            setEmpty(i);
        }
    }

    /** The same, of one that no node follows: its upper bound means nothing. */
    final void stageLast(int level, TreeKey low) {
        stage(level, low, new TreeKey(words), RdmaPtr.NULL);
    }

    final void setEntry(int slot, TreeKey key, long newValue) {
        putKey(at(slot), key);
        memory.putLong(at(slot) + value, newValue);
        setSeal(slot, true);
    }

    final void setEmpty(int slot) {
        setSeal(slot, false);
    }

    private void setBounds(TreeKey newHigh, long newLink) {
        putKey(high, newHigh);
        memory.putLong(link, newLink);
    }

    private void renewVersion() {
        memory.putLong(STATE, state() + ONE_VERSION);
    }

    /** Changes the bounds, empties the slots of entries that the node no longer owns, and seals all. */
    final void bound(TreeKey newHigh, long newLink) {
        renewVersion();
        setBounds(newHigh, newLink);
        for (int i = 0; i < slots; i++) {
            setSeal(i, isPresent(i) && owns(key(i, scratch)));
        }
    }

    /** Changes the upper bound, and seals all slots anew. */
    final void bound(TreeKey newHigh) {
        bound(newHigh, linkWord());
    }

    /** Declares that the node is gone. It has no entries then. */
    final void markGone() {
        bound(high(), linkWord() | GONE);
    }

    /** Gives all keys of an empty leaf to another one, and keeps the root that is above that in a slot, as a value. */
    final void forward(long root, long leaf) {
        setEntry(0, lowest, root);
        bound(lowest, leaf);
    }

    /** Whether a node that ends there has {@linkplain #forward given} all its keys away. No split does so. */
    static boolean isForwarded(TreeKey high) {
        return high.isLowest();
    }

    /** READs the root to which a node leads. Its WRITE was placed before the link by which this thread has passed. */
    final long forwardedRoot(long node, ComputeThread ct) {
        return ct.read(node + at(0) + value);
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
        chain.write(pointer + at(slot), memory, at(slot), seal);
    }

    /** WRITEs the seal of a slot. */
    final void writeSealIn(Sequence chain, int slot) {
        chain.write(pointer + at(slot) + seal, memory, at(slot) + seal, Long.BYTES);
    }

    /** WRITEs the bounds, with the version that {@link #bound} has renewed. */
    final void writeBoundsIn(Sequence chain) {
        chain.write(pointer + STATE, memory, STATE, firstSlot - STATE);
    }

    /** WRITEs all slots. */
    final void writeSlotsIn(Sequence chain) {
        chain.write(pointer + firstSlot, memory, firstSlot, slotBytes * slots);
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
