// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.OutOfRemoteMemoryException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An ordered map with range scans: keys of up to 256 bytes that have an order, and values of any size. {@link
 * LongLongTree} is the one for integers, and has the same tree inside.
 *
 * <pre>
 *   tree: the bytes of keys, in words            blocks
 *  +--------+------+--------+------+            +------------+-------+
 *  | key    | word | key    | word | ---------> | its length | value |
 *  +--------+------+--------+------+            +------------+-------+
 *                                                never changes
 * </pre>
 *
 * <p><b>Promises.</b> All operations on one key are linearizable: they take effect when those of the tree do, since a
 * block never changes. Scans and {@link #clear} are weakly consistent, as they are in the tree, and {@link
 * #scanSnapshot} takes effect in one step. Updates block, and the lock of a leaf that a lost thread has held is taken
 * over, as there.
 *
 * <p><b>Death.</b> As of {@link LongLongTree}. The block that a lost thread was about to publish or to retire is lost
 * until the memory is.
 *
 * <p>After an exception, as from a lane that broke, it is unknown whether the operation has taken effect; the handle
 * can still be used. A block that it had written may be lost.
 *
 * <p><b>Round trips</b>, more than those of the tree: get 1, for the block. put 1 to write the block, 1 to read the old
 * one, and 1 to allocate, unless this thread has a free block. remove 1. A scan 1 for each {@code --cn-ops-per-thread}
 * entries. Each block of 4 KiB or more takes 1 more to read.
 *
 * <p><b>Memory.</b> All keys take as many words of 8 bytes as the longest one needs. An entry of the tree has 16 bytes
 * and its key, and a node 24 bytes and two keys. By default, a node has 1 KiB: 41 entries with keys of 8 bytes, 30 with
 * 16 bytes, 19 with 32. With keys of more than 40 bytes it has 16 entries, and is larger. Besides the tree, an entry
 * has a block of 64 bytes or a multiple, for 16 bytes and the value. Old blocks are {@linkplain
 * ComputeThread#schedReclaim retired}, since other threads may be reading them. A handle belongs to one thread.
 *
 * @param <K> keys
 * @param <V> values
 */
public final class RemoteTreeMap<K, V> implements RemoteMap<K, V> {
    /** How many keys {@link #clear} takes from the tree at once. */
    private static final int PART = 64;

    private final OrderedTree tree;
    private final OrderedCodec<K> keys;
    private final TreeValues<V> values;

    /** A key in bytes, with zeros behind. */
    private final ByteBuffer scratch;

    // Keys of the tree: those of an operation, and one for each entry that is passed on.
    private final TreeKey first;
    private final TreeKey last;

    /** False while an operation runs, and so after one that ended with an exception. */
    private boolean isSettled = true;

    /** Makes an empty map for such keys in remote memory. */
    public static <K> RdmaPtr<TreeTable> create(OrderedCodec<K> keys, ComputeThread ct) {
        return create(keys, TreeShape.forKeys(words(keys)), ct);
    }

    /** Makes an empty map of a given shape for such keys in remote memory. */
    public static <K> RdmaPtr<TreeTable> create(OrderedCodec<K> keys, TreeShape shape, ComputeThread ct) {
        return TreeTable.create(words(keys), shape, ct);
    }

    /**
     * Makes a thread's handle. The threads of a node together remember as many inner nodes as {@code
     * --cn-cache-records} allows them.
     *
     * @param This what {@link #create} returned
     * @param keys the bytes of keys, at most 256; the same for all handles
     * @param values the bytes of values
     * @throws IllegalArgumentException if there is no map, or it was made for longer or shorter keys
     */
    public RemoteTreeMap(RdmaPtr<TreeTable> This, OrderedCodec<K> keys, Encoding<V> values, ComputeThread ct) {
        this(This, keys, values, TreeCache.capacity(ct), ct);
    }

    /**
     * Makes a thread's handle.
     *
     * @param rememberedNodes the most inner nodes of the map that this node's handles with the same limit remember
     *     together. 0 for a handle that remembers none
     */
    public RemoteTreeMap(
            RdmaPtr<TreeTable> This, OrderedCodec<K> keys, Encoding<V> values, int rememberedNodes, ComputeThread ct) {
        this(OrderedTree.open(This, words(keys), TreeValues.NONE, rememberedNodes, ct), keys, values, ct);
    }

    /** Makes a handle to a tree of the words of keys. */
    RemoteTreeMap(OrderedTree tree, OrderedCodec<K> keys, Encoding<V> values, ComputeThread ct) {
        this.tree = tree;
        this.keys = keys;
        this.values = new TreeValues<>(values, ct);
        scratch = ByteBuffer.allocate(words(keys) * Long.BYTES);
        first = new TreeKey(words(keys));
        last = new TreeKey(words(keys));
    }

    /** The number of words of a key. */
    static int words(OrderedCodec<?> keys) {
        int most = TreeKey.MOST_WORDS * Long.BYTES;
        if (keys.bytes() < 1 || keys.bytes() > most) {
            throw new IllegalArgumentException("keys of " + keys.bytes() + " bytes: an ordered map takes 1 to " + most);
        }
        return (keys.bytes() + Long.BYTES - 1) / Long.BYTES;
    }

    private TreeKey begin(K key, ComputeThread ct) {
        TreeKey words = words(key, first); // a key that is refused leaves the handle as it is
        begin(ct);
        return words;
    }

    private void begin(ComputeThread ct) {
        if (!isSettled) {
            values.renewLocal(ct);
        }
        isSettled = false;
    }

    private <T> T end(T result) {
        isSettled = true;
        return result;
    }

    /** Sets a key of the tree to the bytes of a key, as words in the same order, and returns it. */
    private TreeKey words(K key, TreeKey to) {
        Arrays.fill(scratch.array(), (byte) 0);
        keys.encode(key, scratch.slice(0, keys.bytes()));
        for (int i = 0; i < to.words(); i++) {
            to.setWord(i, scratch.getLong(i * Long.BYTES) ^ Long.MIN_VALUE);
        }
        return to;
    }

    private K key(TreeKey words) {
        for (int i = 0; i < words.words(); i++) {
            scratch.putLong(i * Long.BYTES, words.word(i) ^ Long.MIN_VALUE);
        }
        return keys.decode(scratch.slice(0, keys.bytes()));
    }

    // ------------------------------------------------------------------------------------------------ one key

    /** The value of a key, or null. */
    @Override
    public @Nullable V get(K key, ComputeThread ct) {
        long word = tree.get(begin(key, ct), ct);
        return endWith(word, ct);
    }

    private @Nullable V endWith(long word, ComputeThread ct) {
        V value = word == TreeValues.NONE ? null : values.load(word, ct);
        isSettled = true;
        return value;
    }

    /** The value in a block that the tree names no more, or null; retires the block. */
    private @Nullable V endWithRetired(long word, ComputeThread ct) {
        V value = endWith(word, ct);
        if (word != TreeValues.NONE) {
            values.retire(word, ct);
        }
        return value;
    }

    /** Sets the value of a key; returns the old one, or null. */
    @Override
    public @Nullable V put(K key, V value, ComputeThread ct) {
        TreeKey words = begin(key, ct);
        long word = values.store(value, ct);
        long old;
        try {
            old = tree.put(words, word, ct);
        } catch (OutOfRemoteMemoryException e) {
            values.free(word, ct); // the tree has not changed
            throw e;
        }
        return endWithRetired(old, ct);
    }

    /** Sets the value of a key that has none; returns the value that it has already, or null. */
    @Override
    public @Nullable V putIfAbsent(K key, V value, ComputeThread ct) {
        TreeKey words = begin(key, ct);
        long present = tree.get(words, ct);
        if (present == TreeValues.NONE) {
            long word = values.store(value, ct);
            try {
                present = tree.putIfAbsent(words, word, ct);
            } catch (OutOfRemoteMemoryException e) {
                values.free(word, ct);
                throw e;
            }
            if (present != TreeValues.NONE) {
                values.free(word, ct);
            }
        }
        return endWith(present, ct);
    }

    /** Sets the value of a key that has the {@code expected} one, compared by its bytes; returns whether it had. */
    @Override
    public boolean replace(K key, V expected, V value, ComputeThread ct) {
        TreeKey words = begin(key, ct);
        long present = tree.get(words, ct);
        while (present != TreeValues.NONE && values.hasValue(present, expected, ct)) {
            long word = values.store(value, ct);
            if (tree.replace(words, present, word, ct)) {
                values.retire(present, ct);
                return end(true);
            }
            values.free(word, ct);
            ct.pause();
            present = tree.get(words, ct);
        }
        return end(false);
    }

    /** Removes a key; returns the value that it had, or null. */
    @Override
    public @Nullable V remove(K key, ComputeThread ct) {
        return endWithRetired(tree.remove(begin(key, ct), ct), ct);
    }

    // ------------------------------------------------------------------------------------------------ many keys

    /**
     * Loads entries into a new map, as {@link LongLongTree#bulkLoad} does: they become visible in one step. WRITEs each
     * value on its own, which takes 1 round trip, and 1 to allocate its block.
     *
     * @param entries in the order of their bytes
     * @return the number of entries
     * @throws IllegalArgumentException if a key is not above the one before it
     * @throws IllegalStateException if the map is not new; also if another thread has added an entry meanwhile
     * @throws OutOfRemoteMemoryException if remote memory is full
     */
    public long bulkLoad(SortedMap<K, ? extends V> entries, ComputeThread ct) {
        begin(ct);
        List<Long> words = new ArrayList<>();
        try {
            return end(tree.bulkLoad(
                    to -> entries.forEach((key, value) -> {
                        long word = values.store(value, ct);
                        words.add(word);
                        to.accept(words(key, first), word);
                    }),
                    ct));
        } catch (IllegalArgumentException | IllegalStateException | OutOfRemoteMemoryException e) {
            words.forEach(word -> values.free(word, ct)); // the tree has not changed
            throw e;
        }
    }

    // ------------------------------------------------------------------------------------------------ by order

    /**
     * Passes the entries of an interval on, by ascending keys. It promises what {@link LongLongTree#scan} does.
     *
     * @param from the lowest key of the interval
     * @param to the highest key of the interval, which belongs to it
     * @param limit the most entries, not negative
     * @param consumer takes them. It must not use this handle
     * @return the number of entries that were passed on
     */
    public long scan(K from, K to, long limit, BiConsumer<? super K, ? super V> consumer, ComputeThread ct) {
        TreeKey high = words(to, last);
        TreeKey low = begin(from, ct);
        Passing passing = new Passing(consumer, ct);
        long count = tree.scan(low, high, limit, passing, ct);
        passing.flush();
        return end(count);
    }

    /**
     * Passes the entries of an interval on, by descending keys.
     *
     * @param from the highest key of the interval
     * @param to the lowest key of the interval, which belongs to it
     * @param limit as of {@link #scan}, like the consumer and the result
     */
    public long scanDown(K from, K to, long limit, BiConsumer<? super K, ? super V> consumer, ComputeThread ct) {
        TreeKey low = words(to, last);
        TreeKey high = begin(from, ct);
        Passing passing = new Passing(consumer, ct);
        long count = tree.scanDown(high, low, limit, passing, ct);
        passing.flush();
        return end(count);
    }

    /**
     * Passes the entries on that an interval has at one moment, by ascending keys: linearizable as one step, as {@link
     * LongLongTree#scanSnapshot} is.
     *
     * @param from as of {@link #scan}, like all others and the result
     * @throws java.util.ConcurrentModificationException if other threads have changed one of the leaves in each of 64
     *     attempts. Then no entry was passed on
     */
    public long scanSnapshot(K from, K to, long limit, BiConsumer<? super K, ? super V> consumer, ComputeThread ct) {
        TreeKey high = words(to, last);
        TreeKey low = begin(from, ct);
        Passing passing = new Passing(consumer, ct);
        long count = tree.scanSnapshot(low, high, limit, passing, ct);
        passing.flush();
        return end(count);
    }

    /** Passes all entries on, by ascending keys. It promises what {@link #scan} does. */
    public void forEach(BiConsumer<? super K, ? super V> consumer, ComputeThread ct) {
        begin(ct);
        Passing passing = new Passing(consumer, ct);
        tree.scan(tree.lowest(), tree.highest(), Long.MAX_VALUE, passing, ct);
        passing.flush();
        end(true);
    }

    /** Entries of the tree on their way to a consumer. Their blocks are fetched together. */
    private final class Passing implements TreeConsumer {
        private final BiConsumer<? super K, ? super V> consumer;
        private final ComputeThread ct;
        private final TreeKey words = first.copy();
        private final TreeEntries entries = new TreeEntries(words.words(), values.batchSize());

        Passing(BiConsumer<? super K, ? super V> consumer, ComputeThread ct) {
            this.consumer = consumer;
            this.ct = ct;
        }

        @Override
        public void accept(TreeKey key, long word) {
            entries.add(key, word);
            if (entries.size() == values.batchSize()) {
                flush();
            }
        }

        void flush() {
            if (entries.size() == 0) {
                return;
            }
            List<V> loaded = values.loadAll(entries, ct);
            for (int i = 0; i < entries.size(); i++) {
                consumer.accept(key(entries.key(i, words)), loaded.get(i));
            }
            entries.clear();
        }
    }

    /** The entry with the lowest key, or null. */
    public Map.@Nullable Entry<K, V> first(ComputeThread ct) {
        begin(ct);
        return lowest(tree.lowest(), ct);
    }

    /** The entry with the lowest key that is at least this one, or null. */
    public Map.@Nullable Entry<K, V> ceiling(K key, ComputeThread ct) {
        return lowest(begin(key, ct), ct);
    }

    private Map.@Nullable Entry<K, V> lowest(TreeKey from, ComputeThread ct) {
        Found at = new Found();
        return entry(tree.scan(from, tree.highest(), 1, at, ct), at, ct);
    }

    /** The entry with the highest key, or null. */
    public Map.@Nullable Entry<K, V> last(ComputeThread ct) {
        begin(ct);
        return highest(tree.highest(), ct);
    }

    /** The entry with the highest key that is at most this one, or null. */
    public Map.@Nullable Entry<K, V> floor(K key, ComputeThread ct) {
        return highest(begin(key, ct), ct);
    }

    private Map.@Nullable Entry<K, V> highest(TreeKey from, ComputeThread ct) {
        Found at = new Found();
        return entry(tree.scanDown(from, tree.lowest(), 1, at, ct), at, ct);
    }

    private Map.@Nullable Entry<K, V> entry(long count, Found at, ComputeThread ct) {
        Map.@Nullable Entry<K, V> entry = count == 1 ? Map.entry(key(last), values.load(at.word, ct)) : null;
        isSettled = true;
        return entry;
    }

    /** An entry of the tree: its key becomes the last one. */
    private final class Found implements TreeConsumer {
        private long word;

        @Override
        public void accept(TreeKey key, long foundWord) {
            last.set(key);
            word = foundWord;
        }
    }

    // ------------------------------------------------------------------------------------------------ all keys

    /** The number of entries, as a scan of all of them counts them. One round trip for each 8 leaves. */
    public long size(ComputeThread ct) {
        return tree.size(ct);
    }

    /**
     * Removes all entries that are there all the time, and perhaps others, one by one. Each key is missing at some
     * moment of the call.
     *
     * @return the number of entries that this call has removed
     */
    public long clear(ComputeThread ct) {
        begin(ct);
        long removed = 0;
        TreeEntries part = new TreeEntries(first.words(), PART);
        first.set(tree.lowest());
        do {
            part.clear();
            tree.scan(first, tree.highest(), PART, part::add, ct);
            for (int i = 0; i < part.size(); i++) {
                long word = tree.remove(part.key(i, first), ct);
                if (word != TreeValues.NONE) {
                    values.retire(word, ct);
                    removed++;
                }
            }
        } while (part.size() == PART);
        return end(removed);
    }

    /**
     * Walks through the map while no other thread uses it, and checks everything that must then hold.
     *
     * @return the number of entries
     * @throws IllegalStateException naming what does not hold
     */
    @Override
    public long checkedSize(ComputeThread ct) {
        long size = tree.checked(ct).size();
        long[] loaded = {0};
        forEach((key, value) -> loaded[0]++, ct);
        if (loaded[0] != size) {
            throw new IllegalStateException("a scan passes " + loaded[0] + " entries on, of " + size);
        }
        return size;
    }

    /** Gives all memory of the map back. No thread may use it meanwhile or afterwards. */
    @Override
    public void destroy(ComputeThread ct) {
        begin(ct);
        tree.scan(tree.lowest(), tree.highest(), Long.MAX_VALUE, (key, word) -> values.free(word, ct), ct);
        tree.destroy(ct);
        end(true);
    }
}
