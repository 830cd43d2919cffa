// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import java.util.function.Consumer;

/**
 * An ordered map from keys of some words to words: what is inside a {@link LongLongTree}, which has the promises, and a
 * {@link RemoteTreeMap}. It puts the parts of a handle together, and renews their local memory after a failure. Keys
 * that it is given stay as they are until a method returns.
 */
final class OrderedTree {
    private final TreeTable This;
    private final TreeCore core;
    private final TreeScan scan;
    private final TreeSnapshot snapshot;
    private final TreeRemoval removal;
    private final long missing;
    private final TreeKey lowest;
    private final TreeKey highest;

    /** False while an operation runs, and so after one that ended with an exception. */
    private boolean isSettled = true;

    /** Makes a handle of its parts. */
    OrderedTree(
            TreeTable This, long missing, TreeCore core, TreeScan scan, TreeSnapshot snapshot, TreeRemoval removal) {
        this.This = This;
        this.missing = missing;
        this.core = core;
        this.scan = scan;
        this.snapshot = snapshot;
        this.removal = removal;
        lowest = TreeKey.lowest(This.words());
        highest = TreeKey.highest(This.words());
    }

    /**
     * Makes a thread's handle to a map whose keys have so many words.
     *
     * @throws IllegalArgumentException if there is no map, or its keys have another number of words
     */
    static OrderedTree open(
            RdmaPtr<TreeTable> pointer, int words, long missing, int rememberedNodes, ComputeThread ct) {
        TreeTable This = TreeTable.open(pointer, ct);
        if (This.words() != words) {
            throw new IllegalArgumentException("the ordered map at (" + RdmaPtr.toString(pointer.raw())
                    + ") was made for keys of " + bytes(This.words()) + ", not for keys of " + bytes(words));
        }
        TreeCore core = new TreeCore(This, rememberedNodes, ct);
        return new OrderedTree(
                This,
                missing,
                core,
                new TreeScan(core, This.entries(), ct),
                new TreeSnapshot(core, This.entries(), ct),
                new TreeRemoval(core, ct));
    }

    private static String bytes(int words) {
        return (words - 1) * Long.BYTES + 1 + " to " + words * Long.BYTES + " bytes";
    }

    private void begin(ComputeThread ct) {
        if (!isSettled) {
            core.renewLocal(ct);
            scan.renewLocal(ct);
            snapshot.renewLocal(ct);
            removal.renewLocal(ct);
        }
        isSettled = false;
    }

    private long end(boolean isFound) {
        isSettled = true;
        return isFound ? core.value : missing;
    }

    private long endWith(long result) {
        isSettled = true;
        return result;
    }

    /** The lowest key that a map can have. */
    TreeKey lowest() {
        return lowest;
    }

    /** The highest key that a map can have. */
    TreeKey highest() {
        return highest;
    }

    // ------------------------------------------------------------------------------------------------ one key

    long get(TreeKey key, ComputeThread ct) {
        begin(ct);
        return end(core.get(key, ct));
    }

    boolean contains(TreeKey key, ComputeThread ct) {
        begin(ct);
        boolean isFound = core.get(key, ct);
        end(isFound);
        return isFound;
    }

    long put(TreeKey key, long value, ComputeThread ct) {
        begin(ct);
        return end(core.put(key, value, ct));
    }

    long putIfAbsent(TreeKey key, long value, ComputeThread ct) {
        begin(ct);
        return end(core.putIfAbsent(key, value, ct));
    }

    boolean replace(TreeKey key, long expected, long value, ComputeThread ct) {
        begin(ct);
        boolean isReplaced = core.replace(key, expected, value, ct);
        end(isReplaced);
        return isReplaced;
    }

    long remove(TreeKey key, ComputeThread ct) {
        begin(ct);
        boolean isFound = core.remove(key, ct);
        if (isFound) {
            removal.tidy(ct);
        }
        return end(isFound);
    }

    // ------------------------------------------------------------------------------------------------ many keys

    long bulkLoad(Consumer<TreeConsumer> source, ComputeThread ct) {
        begin(ct);
        return endWith(core.makeLoad(ct).load(source));
    }

    long scan(TreeKey from, TreeKey to, long limit, TreeConsumer consumer, ComputeThread ct) {
        checkLimit(limit);
        begin(ct);
        return endWith(scan.scan(from, to, limit, consumer, ct));
    }

    long scanDown(TreeKey from, TreeKey to, long limit, TreeConsumer consumer, ComputeThread ct) {
        checkLimit(limit);
        begin(ct);
        return endWith(scan.scanDown(from, to, limit, consumer, ct));
    }

    long scanSnapshot(TreeKey from, TreeKey to, long limit, TreeConsumer consumer, ComputeThread ct) {
        checkLimit(limit);
        begin(ct);
        return endWith(snapshot.scanSnapshot(from, to, limit, consumer, ct));
    }

    private static void checkLimit(long limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("a scan of " + limit + " entries: needs 0 or more");
        }
    }

    // ------------------------------------------------------------------------------------------------ all keys

    long size(ComputeThread ct) {
        return scan(lowest, highest, Long.MAX_VALUE, (key, value) -> {}, ct);
    }

    /** Walks through the map while no other thread uses it, and checks everything that must then hold. */
    TreeLevels checked(ComputeThread ct) {
        begin(ct);
        TreeLevels levels = new TreeLevels(This, ct);
        levels.check(ct);
        isSettled = true;
        return levels;
    }

    long clear(ComputeThread ct) {
        begin(ct);
        return endWith(removal.clear(ct));
    }

    void destroy(ComputeThread ct) {
        begin(ct);
        new TreeLevels(This, ct).free(ct);
        This.destroy(ct);
        core.cache.forgetAll();
        isSettled = true;
    }
}
