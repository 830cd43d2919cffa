// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import dev.remus.node.ComputeThread;
import dev.remus.structures.verify.MapCodes;
import dev.remus.tools.verify.RunLog;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A map as one thread uses it, whose operations are recorded in {@link MapCodes}, with their results, from {@link
 * #recordInto} on. Each value names the key for which it was written, and the operation that wrote it.
 */
final class RecordedKvStore implements KvStore {
    private static final long NUMBER = 0xFFFF_FFFFL;

    private final KvStore store;
    private final ComputeThread ct;
    private @Nullable RunLog log;

    RecordedKvStore(KvStore store, ComputeThread ct) {
        this.store = store;
        this.ct = ct;
    }

    /** Records all operations from now on; those before count as what was there at first. */
    void recordInto(RunLog into) {
        log = into;
    }

    @Override
    public int room() {
        return log == null ? store.room() : Math.min(log.room(), store.room());
    }

    /** The value that the next operation writes, instead of one that was drawn. */
    @Override
    public long choose(long key, long drawn) {
        int number = log == null ? MapCodes.AT_FIRST : MapCodes.written(ct.id(), log.size(), ct.threads());
        return key << Integer.SIZE | number & NUMBER;
    }

    @Override
    public boolean load(long[] keys, LongUnaryOperator value) {
        return store.load(keys, value);
    }

    /** What the log records about an operation that saw a value. */
    private static long word(long key, long seen) {
        if (seen == MISSING) {
            return MapCodes.value(key, MapCodes.MISSING);
        }
        boolean isOfKey = seen >>> Integer.SIZE == key && (int) seen != MapCodes.MISSING;
        return MapCodes.value(key, isOfKey ? (int) seen : MapCodes.FOREIGN);
    }

    private void call(int kind, long word) {
        if (log != null) {
            log.call(kind, word, ct.nanoTime());
        }
    }

    private void returned(boolean changed, long word) {
        if (log != null) {
            log.returned(MapCodes.outcome(changed), word, ct.nanoTime());
        }
    }

    @Override
    public long get(long key) {
        call(MapCodes.GET, key);
        long value = store.get(key);
        returned(false, word(key, value));
        return value;
    }

    @Override
    public long put(long key, long value) {
        call(MapCodes.PUT, key);
        long old = store.put(key, value);
        returned(true, word(key, old));
        return old;
    }

    @Override
    public boolean replace(long key, long expected, long value) {
        long word = word(key, expected);
        call(MapCodes.REPLACE, word);
        boolean isReplaced = store.replace(key, expected, value);
        returned(isReplaced, word);
        return isReplaced;
    }

    @Override
    public long remove(long key) {
        call(MapCodes.REMOVE, key);
        long old = store.remove(key);
        returned(old != MISSING, word(key, old));
        return old;
    }
}
