package dev.remus.structures;

import dev.remus.memory.OutOfRemoteMemoryException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An ordered map with range scans: keys of at most 8 bytes that have an order, and values of any size. {@link
 * LongLongTree} is the one for integers, and is inside.
 *
 * <pre>
 *   tree of integers: the bytes of keys          blocks
 *  +--------+------+--------+------+            +------------+-------+
 *  | key    | word | key    | word | ---------> | its length | value |
 *  +--------+------+--------+------+            +------------+-------+
 *                                                never changes
 * </pre>
 *
 * <p><b>Promises.</b> All operations on one key are linearizable: they take effect when those of the tree do, since a
 * block never changes. Scans and {@link #clear} are weakly consistent, as they are in the tree. Updates block, and the
 * lock of a leaf that a lost thread has held is taken over, as there.
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
 * <p><b>Memory.</b> Besides the tree, a block of 64 bytes or a multiple, for 16 bytes and the value. Old blocks are
 * {@linkplain ComputeThread#schedReclaim retired}, since other threads may be reading them. A handle belongs to one
 * thread.
 *
 * @param <K> keys
 * @param <V> values
 */
public final class RemoteTreeMap<K, V> implements RemoteMap<K, V> {
    /** How many keys {@link #clear} takes from the tree at once. */
    private static final int PART = 64;

    private final LongLongTree tree;
    private final OrderedCodec<K> keys;
    private final TreeValues<V> values;

    /** A key in bytes, with zeros behind. */
    private final ByteBuffer scratch = ByteBuffer.allocate(Long.BYTES);

    /** False while an operation runs, and so after one that ended with an exception. */
    private boolean isSettled = true;

    /** Makes an empty map in remote memory. */
    public static RdmaPtr<TreeTable> create(ComputeThread ct) {
        return LongLongTree.create(ct);
    }

    /** Makes an empty map of a given shape in remote memory. */
    public static RdmaPtr<TreeTable> create(TreeShape shape, ComputeThread ct) {
        return LongLongTree.create(shape, ct);
    }

    /**
     * Makes a thread's handle, which remembers as many inner nodes as {@code --cn-cache-records} says.
     *
     * @param This what {@link #create} returned
     * @param keys the bytes of keys, at most 8; the same for all handles
     * @param values the bytes of values
     * @throws IllegalArgumentException if there is no map, or keys have more bytes
     */
    public RemoteTreeMap(RdmaPtr<TreeTable> This, OrderedCodec<K> keys, Encoding<V> values, ComputeThread ct) {
        if (keys.bytes() < 1 || keys.bytes() > Long.BYTES) {
            throw new IllegalArgumentException("keys of " + keys.bytes() + " bytes: an ordered map takes 1 to 8");
        }
        this.tree = new LongLongTree(This, TreeValues.NONE, ct);
        this.keys = keys;
        this.values = new TreeValues<>(values, ct);
    }

    private long begin(K key, ComputeThread ct) {
        long number = number(key); // a key that is refused leaves the handle as it is
        begin(ct);
        return number;
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

    /** The key as an integer in the order of keys. */
    private long number(K key) {
        scratch.clear().putLong(0, 0);
        keys.encode(key, scratch.slice(0, keys.bytes()));
        return scratch.getLong(0) ^ Long.MIN_VALUE;
    }

    private K key(long number) {
        scratch.clear().putLong(0, number ^ Long.MIN_VALUE);
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
        long number = begin(key, ct);
        long word = values.store(value, ct);
        long old;
        try {
            old = tree.put(number, word, ct);
        } catch (OutOfRemoteMemoryException e) {
            values.free(word, ct); // the tree has not changed
            throw e;
        }
        return endWithRetired(old, ct);
    }

    /** Sets the value of a key that has none; returns the value that it has already, or null. */
    @Override
    public @Nullable V putIfAbsent(K key, V value, ComputeThread ct) {
        long number = begin(key, ct);
        long present = tree.get(number, ct);
        if (present == TreeValues.NONE) {
            long word = values.store(value, ct);
            try {
                present = tree.putIfAbsent(number, word, ct);
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
        long number = begin(key, ct);
        long present = tree.get(number, ct);
        while (present != TreeValues.NONE && values.hasValue(present, expected, ct)) {
            long word = values.store(value, ct);
            if (tree.replace(number, present, word, ct)) {
                values.retire(present, ct);
                return end(true);
            }
            values.free(word, ct);
            ct.pause();
            present = tree.get(number, ct);
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
                        to.accept(number(key), word);
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
        long high = number(to);
        long low = begin(from, ct);
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
        long low = number(to);
        long high = begin(from, ct);
        Passing passing = new Passing(consumer, ct);
        long count = tree.scanDown(high, low, limit, passing, ct);
        passing.flush();
        return end(count);
    }

    /** Passes all entries on, by ascending keys. It promises what {@link #scan} does. */
    public void forEach(BiConsumer<? super K, ? super V> consumer, ComputeThread ct) {
        begin(ct);
        Passing passing = new Passing(consumer, ct);
        tree.scan(Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, passing, ct);
        passing.flush();
        end(true);
    }

    /** Entries of the tree on their way to a consumer. Their blocks are fetched together. */
    private final class Passing implements LongLongMap.LongLongConsumer {
        private final BiConsumer<? super K, ? super V> consumer;
        private final ComputeThread ct;
        private final long[] numbers = new long[values.batchSize()];
        private final long[] words = new long[values.batchSize()];
        private int count;

        Passing(BiConsumer<? super K, ? super V> consumer, ComputeThread ct) {
            this.consumer = consumer;
            this.ct = ct;
        }

        @Override
        public void accept(long number, long word) {
            numbers[count] = number;
            words[count] = word;
            count++;
            if (count == words.length) {
                flush();
            }
        }

        void flush() {
            if (count == 0) {
                return;
            }
            List<V> loaded = values.loadAll(words, count, ct);
            for (int i = 0; i < count; i++) {
                consumer.accept(key(numbers[i]), loaded.get(i));
            }
            count = 0;
        }
    }

    /** The entry with the lowest key, or null. */
    public Map.@Nullable Entry<K, V> first(ComputeThread ct) {
        begin(ct);
        return lowest(Long.MIN_VALUE, ct);
    }

    /** The entry with the lowest key that is at least this one, or null. */
    public Map.@Nullable Entry<K, V> ceiling(K key, ComputeThread ct) {
        return lowest(begin(key, ct), ct);
    }

    private Map.@Nullable Entry<K, V> lowest(long from, ComputeThread ct) {
        Found at = new Found();
        return entry(tree.ceiling(from, at, ct), at, ct);
    }

    /** The entry with the highest key, or null. */
    public Map.@Nullable Entry<K, V> last(ComputeThread ct) {
        begin(ct);
        return highest(Long.MAX_VALUE, ct);
    }

    /** The entry with the highest key that is at most this one, or null. */
    public Map.@Nullable Entry<K, V> floor(K key, ComputeThread ct) {
        return highest(begin(key, ct), ct);
    }

    private Map.@Nullable Entry<K, V> highest(long from, ComputeThread ct) {
        Found at = new Found();
        return entry(tree.floor(from, at, ct), at, ct);
    }

    private Map.@Nullable Entry<K, V> entry(boolean isFound, Found at, ComputeThread ct) {
        Map.@Nullable Entry<K, V> entry = isFound ? Map.entry(key(at.number), values.load(at.word, ct)) : null;
        isSettled = true;
        return entry;
    }

    /** An entry of the tree. */
    private static final class Found implements LongLongMap.LongLongConsumer {
        private long number;
        private long word;

        @Override
        public void accept(long foundNumber, long foundWord) {
            number = foundNumber;
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
        long[] part = new long[PART];
        int[] count = {0};
        long from = Long.MIN_VALUE;
        do {
            count[0] = 0;
            tree.scan(from, Long.MAX_VALUE, PART, (number, word) -> part[count[0]++] = number, ct);
            for (int i = 0; i < count[0]; i++) {
                long word = tree.remove(part[i], ct);
                if (word != TreeValues.NONE) {
                    values.retire(word, ct);
                    removed++;
                }
                from = part[i];
            }
        } while (count[0] == PART);
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
        long size = tree.checkedSize(ct);
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
        tree.scan(Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, (number, word) -> values.free(word, ct), ct);
        tree.destroy(ct);
        end(true);
    }
}
