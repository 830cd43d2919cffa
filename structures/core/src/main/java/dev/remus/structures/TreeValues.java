// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.RemoteFuture;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values of a {@link RemoteTreeMap}. Each is in a block of its own, a {@link MapEntry} without a key, which never
 * changes once an entry of the tree names it. What the tree has for a value is this word:
 *
 * <pre>
 *  63                                6 5              0
 *  +----------------------------------+----------------+
 *  | pointer of the block, which is   | its lines of   |
 *  | aligned to 64 bytes              | 64 bytes, or 0 |
 *  +----------------------------------+----------------+
 * </pre>
 *
 * <p>So one READ fetches a block, unless that has 64 lines or more. Then its first line tells how long it is.
 *
 * @param <V> values
 */
final class TreeValues<V> {
    /** In place of a word: the tree has no entry. */
    static final long NONE = RdmaPtr.NULL;

    private static final int LINE = 64;
    private static final long LINES = LINE - 1;

    private final Encoding<V> encoding;
    private final MapEntry stored;
    private final MapEntry expected;

    /** The block that was fetched last. */
    private final MapEntry found;

    /** For blocks that are fetched together. */
    private final List<MapEntry> batch = new ArrayList<>();

    private final RemoteFuture[] reads;

    TreeValues(Encoding<V> encoding, ComputeThread ct) {
        this.encoding = encoding;
        stored = new MapEntry(ct);
        expected = new MapEntry(ct);
        found = new MapEntry(ct);
        reads = new RemoteFuture[ct.config().opsPerThread()];
    }

    /** After a failure, outstanding operations may still use the old local memory: they keep it. */
    void renewLocal(ComputeThread ct) {
        stored.renewLocal(ct);
        expected.renewLocal(ct);
        found.renewLocal(ct);
        batch.clear();
    }

    private static long pointer(long word) {
        return word & ~LINES;
    }

    private static long size(long bytes) {
        return bytes + LINE - 1 & -LINE;
    }

    /** WRITEs a value to a new block, and returns its word. No thread knows it yet. */
    long store(V value, ComputeThread ct) {
        stored.setNoKey(ct);
        stored.setValue(encoding, value, ct);
        long size = size(stored.bytes());
        long block = ct.allocate(size);
        ct.write(block, stored.memory(), 0, (int) stored.bytes());
        return block | (size / LINE > LINES ? 0 : size / LINE);
    }

    /** Frees a block that was stored and that no other thread can know. */
    void free(long word, ComputeThread ct) {
        ct.free(pointer(word), sizeOf(word, ct));
    }

    /** Retires a block that the tree does not name any more. The caller has got its word from the tree. */
    void retire(long word, ComputeThread ct) {
        ct.schedReclaim(pointer(word), sizeOf(word, ct));
    }

    private long sizeOf(long word, ComputeThread ct) {
        if ((word & LINES) != 0) {
            return (word & LINES) * LINE;
        }
        fetch(word, ct);
        return size(found.bytes());
    }

    /** The value in a block. */
    V load(long word, ComputeThread ct) {
        fetch(word, ct);
        return found.value(encoding);
    }

    /** Whether the value in a block has the same bytes as another one. */
    boolean hasValue(long word, V value, ComputeThread ct) {
        expected.setNoKey(ct);
        expected.setValue(encoding, value, ct);
        fetch(word, ct);
        return found.hasValueOf(expected);
    }

    private void fetch(long word, ComputeThread ct) {
        ct.read(pointer(word), found.room(firstBytes(word), ct), 0, firstBytes(word));
        complete(word, found, ct);
    }

    private static int firstBytes(long word) {
        return Math.max(1, (int) (word & LINES)) * LINE;
    }

    private static void complete(long word, MapEntry entry, ComputeThread ct) {
        if ((word & LINES) == 0) {
            long bytes = entry.bytes();
            ct.read(pointer(word), entry.room(bytes, ct), 0, (int) bytes);
        }
    }

    /** How many blocks {@link #loadAll} takes at once. */
    int batchSize() {
        return reads.length;
    }

    /** The values in the blocks of some entries, fetched together: one round trip, and one for each that is long. */
    List<V> loadAll(TreeEntries entries, ComputeThread ct) {
        int count = entries.size();
        while (batch.size() < count) {
            batch.add(new MapEntry(ct));
        }
        int posted = 0;
        @Nullable RuntimeException failure = null;
        try {
            ct.async().gather();
            for (; posted < count; posted++) {
                long word = entries.value(posted);
                int bytes = firstBytes(word);
                reads[posted] = ct.async().read(pointer(word), batch.get(posted).room(bytes, ct), 0, bytes);
            }
            ct.async().awaitAll();
        } catch (RuntimeException e) {
            failure = e;
        }
        for (int i = 0; i < posted; i++) {
            failure = MapChains.awaited(reads[i], failure);
        }
        if (failure != null) {
            throw failure;
        }
        List<V> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            complete(entries.value(i), batch.get(i), ct);
            values.add(batch.get(i).value(encoding));
        }
        return values;
    }
}
