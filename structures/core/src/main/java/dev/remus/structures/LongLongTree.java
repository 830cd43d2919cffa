// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import java.util.ConcurrentModificationException;
import java.util.function.Consumer;

/**
 * An ordered map from 64-bit integers to 64-bit integers with range scans: a B-link tree whose inner nodes the threads
 * of a Compute Node remember together.
 *
 * <pre>
 *   root            +----------------+
 *                   | -inf  40       |                     inner nodes: Compute Nodes remember them
 *                   +--|----|--------+
 *            +---------+    +---------+
 *            v                        v
 *   +----------------+ link  +----------------+ link  +----------------+
 *   | 3:v  17:v  5:v | ----> | 40:v  44:v     | ----> | 71:v  90:v     | ---->  leaves, on all Memory Nodes
 *   | up to 40       |       | up to 71       |       |                |
 *   +----------------+       +----------------+       +----------------+
 *                                                      split off just now: found by the link, until the
 *                                                      parent names it
 * </pre>
 *
 * <p>{@link TreeTable} shows what the handles share, {@code OrderedTree} the parts of one, {@code TreeNode} the words
 * of a node, {@code TreeAccess} how one is READ, locked and put in order, {@code TreeSearch} searches, {@code TreeCore}
 * updates and splits, {@code TreeRemoval} removes empty nodes, {@code TreeScan} scans, and {@code TreeLoad} loads
 * sorted entries.
 *
 * <p><b>Promises.</b> All operations on one key are linearizable. {@link #scan} passes each key on that is there
 * during the whole scan, once, in ascending order, with a value that it had during the scan; a key that is there for
 * a part of it may be passed on or not. {@link #scanDown} promises the same in descending order. {@link #first},
 * {@link #last}, {@link #ceiling} and {@link #floor} promise as much as a scan that ends at its first entry, and
 * {@link #size} as much as one of all keys. These are no snapshots, and {@link #clear} is no single step. {@link
 * #scanSnapshot} is one: it is linearizable, together with all operations on single keys, as one step.
 *
 * <p>Operations that change nothing wait for no lock, but only while another thread's WRITEs to the same node are under
 * way; if that thread is lost meanwhile, until it is cut off. One that meets a node which another thread is removing
 * helps to, and locks a neighbour for that. A snapshot waits for locks, too. Updates block: each locks a leaf for one
 * round trip, and one that splits a node or removes one locks its parent, later.
 *
 * <p><b>Linearization points.</b> An insertion, an update and a removal: when the seal of the entry's slot is stored.
 * An operation that finds the key and changes nothing: its READ of that seal. One that does not find it: some moment
 * of its READ of the leaf, at which no slot held the key. A snapshot: a moment between the READs of its leaves and
 * those of their versions. A {@linkplain #bulkLoad bulk load}: when the first leaf gets its link. The design note
 * {@code structures/core/design/LongLongTree.md} has the argument.
 *
 * <p><b>Growth.</b> A full node is split by the thread that needs room in it, and by nothing else. While its parent
 * does not name the new node, its left neighbour leads to it. A thread that passes that way enters it in the parent,
 * if that has room and no other thread has locked it; if not, with its next put. Keys that grow leave full
 * leaves behind; other orders leave them half full at least, on average about two thirds; a bulk load leaves them nine
 * tenths full.
 *
 * <p>When memory is full, a put throws {@link dev.remus.memory.OutOfRemoteMemoryException} if it needs a new leaf for
 * its key, and has then changed nothing. All other operations go on, also where a parent cannot name a new node.
 *
 * <p><b>Removal.</b> A leaf that has become empty is removed: its left neighbour owns its keys then, and its memory is
 * used again by epochs, so a loop calls {@link ComputeThread#quiescent} between operations. It stays while it is the
 * first child of an inner node that has others. An inner node with one child is removed likewise. So keys that come and
 * go need no more memory than those that are there at once, but leaves that are not empty are not merged. The levels
 * get no fewer. When the epoch has moved on, a handle asks once whether nodes were removed since. If so, it uses no
 * inner node any more that was remembered before.
 *
 * <p><b>Death.</b> A thread that is lost with its node blocks no other for ever. A node that it has locked or left
 * half changed is taken over once it is cut off ({@link dev.remus.node.LockWords}), and put in order by its next user.
 * So its last operation has taken effect, or not at all. A split or a removal that it left unfinished is finished by
 * the next thread that passes by; an empty leaf that it has not begun to remove stays until an entry is inserted and
 * removed there again. The node that it was about to link or to retire is lost until the memory is. If the lost node
 * is not cut off within the loss time-out, waiters get a {@link dev.remus.fabric.NodeLostException}. A lost Memory
 * Node takes its nodes along: every operation that reaches one of them throws.
 *
 * <p>After an exception, as from a lane that broke, it is unknown whether the operation has taken effect; the handle
 * can still be used.
 *
 * <p><b>Round trips</b>, if the inner nodes are remembered, since some thread of the node has READ them, and no other
 * thread changes the leaf meanwhile: get 1, put, replace and remove 2, a scan 1 for each 8 leaves, and 1 more where a
 * remembered inner node ends. A snapshot takes 1 more for each 8 leaves, the default of {@code --cn-ops-per-thread}. If
 * nothing is remembered, 1 more for each level of inner nodes. After a split that no thread of the node knows, 2 more.
 * A put that splits a leaf takes 6 more, 1 more if the new leaf is on another Memory Node, and those of the allocation;
 * with leaves of 41 entries, this is less than 0.3 for each put of a new key on average. A removal that leaves a leaf
 * empty takes 7 more, less than 0.3 for each on average if all keys are removed. Each handle takes 1 more when the
 * epoch has moved on.
 *
 * <p><b>Memory.</b> 24 bytes for an entry, and 40 for a node: with leaves that are two thirds full, an entry takes 38
 * bytes. The threads of a node together take about 540 bytes of the heap for each inner node that they remember, and
 * there is one for about 770 entries: 7 MB for 10 million entries in random order, 5 MB for as many that were loaded.
 * They remember at most as many inner nodes of a map as {@code --cn-cache-records} allows all of them together, by
 * default 65,536 for each thread, and forget all when they reach that.
 *
 * <p>A missing key is reported as the value {@code missing} that the constructor was given. The map may hold that
 * value, too; {@link #contains} tells the two apart. Operations allocate nothing locally, once all inner nodes are
 * remembered, but for a few keys and a copy of an inner node where a node is split or removed, or a link is passed. A
 * handle belongs to one thread.
 *
 * <p>Source: P. L. Lehman, S. B. Yao, "Efficient Locking for Concurrent Operations on B-Trees", ACM TODS 1981, for
 * links and splits, but with one lock at a time, and none while a parent is looked for. Q. Wang, Y. Lu, J. Shu,
 * "Sherman: A Write-Optimized Distributed B+Tree Index on Disaggregated Memory", SIGMOD 2022, for unsorted leaves,
 * inner nodes that clients cache, and a WRITE of the entry that releases the lock in the same chain; with checksums
 * instead of versions, since words of a READ may be of different moments, and with locks that recover.
 */
public final class LongLongTree {
    private static final int WORDS = 1;

    private final OrderedTree tree;

    // The keys of an operation.
    private final TreeKey first = new TreeKey(WORDS);
    private final TreeKey last = new TreeKey(WORDS);

    /** Where the entries of a scan go. */
    private LongLongMap.LongLongConsumer receiver = LongLongTree::ignore;

    private final TreeConsumer passer = (key, value) -> receiver.accept(key.word(), value);

    /** Makes an empty map in remote memory. */
    public static RdmaPtr<TreeTable> create(ComputeThread ct) {
        return create(TreeShape.DEFAULT, ct);
    }

    /** Makes an empty map of a given shape in remote memory. */
    public static RdmaPtr<TreeTable> create(TreeShape shape, ComputeThread ct) {
        return TreeTable.create(WORDS, shape, ct);
    }

    /**
     * Makes a thread's handle. The threads of a node together remember as many inner nodes as {@code
     * --cn-cache-records} allows them.
     *
     * @param This what {@link #create} returned
     * @param missing what operations return instead of a value if there is none
     * @throws IllegalArgumentException if there is no map
     */
    public LongLongTree(RdmaPtr<TreeTable> This, long missing, ComputeThread ct) {
        this(This, missing, TreeCache.capacity(ct), ct);
    }

    /**
     * Makes a thread's handle.
     *
     * @param rememberedNodes the most inner nodes of the map that this node's handles with the same limit remember
     *     together. 0 for a handle that remembers none
     * @throws IllegalArgumentException if there is no map
     */
    public LongLongTree(RdmaPtr<TreeTable> This, long missing, int rememberedNodes, ComputeThread ct) {
        tree = OrderedTree.open(This, WORDS, missing, rememberedNodes, ct);
    }

    /** Makes one of its parts. */
    LongLongTree(
            TreeTable This, long missing, TreeCore core, TreeScan scan, TreeSnapshot snapshot, TreeRemoval removal) {
        tree = new OrderedTree(This, missing, core, scan, snapshot, removal);
    }

    private static void ignore(long key, long value) {}

    // ------------------------------------------------------------------------------------------------ one key

    /** The value of a key, or {@code missing}. */
    public long get(long key, ComputeThread ct) {
        return tree.get(first.set(key), ct);
    }

    /** Whether the key is there. */
    public boolean contains(long key, ComputeThread ct) {
        return tree.contains(first.set(key), ct);
    }

    /** Sets the value of a key; returns the old one, or {@code missing}. */
    public long put(long key, long value, ComputeThread ct) {
        return tree.put(first.set(key), value, ct);
    }

    /** Sets the value of a key that has none; returns the value that it has already, or {@code missing}. */
    public long putIfAbsent(long key, long value, ComputeThread ct) {
        return tree.putIfAbsent(first.set(key), value, ct);
    }

    /** Sets the value of a key that has {@code expected}; returns whether it had. */
    public boolean replace(long key, long expected, long value, ComputeThread ct) {
        return tree.replace(first.set(key), expected, value, ct);
    }

    /** Removes a key; returns the value that it had, or {@code missing}. */
    public long remove(long key, ComputeThread ct) {
        return tree.remove(first.set(key), ct);
    }

    // ------------------------------------------------------------------------------------------------ many keys

    /**
     * Loads sorted entries into a new map: one whose first leaf is empty and was never split. Nodes are filled to nine
     * tenths, and WRITTEN 64 at a time, in chains that are in flight together. With nodes of 41 entries, an entry takes
     * less than 0.03 round trips, nearly all of them for the allocation of leaves.
     *
     * <p>All entries become visible in one step, behind the last one: a bulk load is linearizable, together with all
     * other operations, and blocks them no longer than a split does. If it fails, the map is as before. A thread that
     * is lost leaves the map as before, or with all entries. After a {@link dev.remus.fabric.FabricException} it is
     * unknown which, and the memory of loaded nodes is lost if the map is as before.
     *
     * <p>Example: {@code tree.bulkLoad(entries -> map.forEach(entries::accept), ct)} copies a {@link
     * java.util.SortedMap}.
     *
     * @param source passes all entries to the consumer that it gets, by ascending keys. It must not use this handle. If
     *     it takes long, it should call {@link ComputeThread#quiescent} now and then
     * @return the number of entries
     * @throws IllegalArgumentException if a key is not above the one before it
     * @throws IllegalStateException if the map is not new; also if another thread has added an entry meanwhile
     * @throws dev.remus.memory.OutOfRemoteMemoryException if remote memory is full
     */
    public long bulkLoad(Consumer<LongLongMap.LongLongConsumer> source, ComputeThread ct) {
        return tree.bulkLoad(to -> source.accept((key, value) -> to.accept(first.set(key), value)), ct);
    }

    // ------------------------------------------------------------------------------------------------ by order

    /**
     * Passes the entries of an interval on, by ascending keys.
     *
     * @param from the lowest key of the interval
     * @param to the highest key of the interval, which belongs to it
     * @param limit the most entries, not negative
     * @param consumer takes them. It must not use this handle
     * @return the number of entries that were passed on
     */
    public long scan(long from, long to, long limit, LongLongMap.LongLongConsumer consumer, ComputeThread ct) {
        receiver = consumer;
        return tree.scan(first.set(from), last.set(to), limit, passer, ct);
    }

    /**
     * Passes the entries of an interval on, by descending keys. It promises as much as {@link #scan}.
     *
     * @param from the highest key of the interval
     * @param to the lowest key of the interval, which belongs to it
     * @param limit the most entries, not negative
     * @param consumer takes them. It must not use this handle
     * @return the number of entries that were passed on
     */
    public long scanDown(long from, long to, long limit, LongLongMap.LongLongConsumer consumer, ComputeThread ct) {
        receiver = consumer;
        return tree.scanDown(first.set(from), last.set(to), limit, passer, ct);
    }

    /**
     * Passes the entries on that an interval has at one moment of the call, by ascending keys: a scan that is
     * linearizable as one step. It waits for threads that have locked one of its leaves, and starts over if one is
     * changed while it READs. The entries are kept in memory until they are known to belong together.
     *
     * @param from the lowest key of the interval
     * @param to the highest key of the interval, which belongs to it
     * @param limit the most entries, not negative. Leaves behind the last one of them do not matter
     * @param consumer takes them. It must not use this handle
     * @return the number of entries that were passed on
     * @throws ConcurrentModificationException if other threads have changed one of the leaves in each of 64 attempts.
     *     Then no entry was passed on
     */
    public long scanSnapshot(long from, long to, long limit, LongLongMap.LongLongConsumer consumer, ComputeThread ct) {
        receiver = consumer;
        return tree.scanSnapshot(first.set(from), last.set(to), limit, passer, ct);
    }

    /** Passes the entry with the lowest key on; returns whether there is one. */
    public boolean first(LongLongMap.LongLongConsumer consumer, ComputeThread ct) {
        return ceiling(Long.MIN_VALUE, consumer, ct);
    }

    /** Passes the entry with the highest key on; returns whether there is one. */
    public boolean last(LongLongMap.LongLongConsumer consumer, ComputeThread ct) {
        return floor(Long.MAX_VALUE, consumer, ct);
    }

    /** Passes the entry with the lowest key on that is at least {@code key}; returns whether there is one. */
    public boolean ceiling(long key, LongLongMap.LongLongConsumer consumer, ComputeThread ct) {
        return scan(key, Long.MAX_VALUE, 1, consumer, ct) == 1;
    }

    /** Passes the entry with the highest key on that is at most {@code key}; returns whether there is one. */
    public boolean floor(long key, LongLongMap.LongLongConsumer consumer, ComputeThread ct) {
        return scanDown(key, Long.MIN_VALUE, 1, consumer, ct) == 1;
    }

    // ------------------------------------------------------------------------------------------------ all keys

    /** The number of entries, as a {@link #scan} of all of them counts them. One round trip for each 8 leaves. */
    public long size(ComputeThread ct) {
        return tree.size(ct);
    }

    /**
     * Walks through the map while no other thread uses it, and checks everything that must then hold.
     *
     * @return the number of entries
     * @throws IllegalStateException naming what does not hold
     */
    public long checkedSize(ComputeThread ct) {
        return tree.checked(ct).size();
    }

    /** The number of nodes that no inner node names, because a split was interrupted. */
    long unnamedNodes(ComputeThread ct) {
        return tree.checked(ct).unnamed();
    }

    /** The number of nodes that are gone or empty, because a removal was interrupted. */
    long unremovedNodes(ComputeThread ct) {
        return tree.checked(ct).unremoved();
    }

    /**
     * Removes all entries that are there all the time, and perhaps others, by ascending keys. It is no single step:
     * each key is missing at some moment of the call, and is removed once at most. Two round trips for each leaf, and
     * 7 for its removal.
     *
     * @return the number of entries that this call has removed
     */
    public long clear(ComputeThread ct) {
        return tree.clear(ct);
    }

    /** Gives all memory of the map back. No thread may use it meanwhile or afterwards. */
    public void destroy(ComputeThread ct) {
        tree.destroy(ct);
    }
}
