// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import dev.remus.memory.SegmentLayout;
import java.util.Locale;

/** The map of a {@link KvExperiment}. */
enum KvMap {
    /** A hash map for values of any size. */
    HASH {
        @Override
        String nameFor(int valueBytes) {
            return valueBytes == Long.BYTES ? "LongLongMap" : "RemoteHashMap";
        }

        @Override
        long bytesOf(int valueBytes) {
            return blockBytes(valueBytes) + BUCKET_BYTES_OF_ENTRY;
        }
    },

    /** An ordered map for values of any size, which scans. */
    TREE {
        @Override
        String nameFor(int valueBytes) {
            return valueBytes == Long.BYTES ? "LongLongTree" : "RemoteTreeMap";
        }

        @Override
        long bytesOf(int valueBytes) {
            return NODE_BYTES_OF_ENTRY + (valueBytes == Long.BYTES ? 0 : blockBytes(valueBytes));
        }

        @Override
        KvStore arranged(KvStore store) {
            return new ScatteredKvStore(store);
        }
    },

    /** A list without locks, for few records. Its keys are in order, but it does not scan. */
    LIST {
        @Override
        String nameFor(int valueBytes) {
            return "LockFreeListMap";
        }

        @Override
        long bytesOf(int valueBytes) {
            return blocks(LINK + Long.BYTES + valueBytes);
        }

        @Override
        int usualRecords() {
            return 100;
        }
    };

    private static final int LINK = 8;

    private static final int HEADER = 16;

    /** A bucket of 256 bytes has 30 slots, of which two thirds are in use on average. */
    private static final long BUCKET_BYTES_OF_ENTRY = 13;

    /** A leaf of 1 KiB has 41 slots, of which two thirds are in use on average; inner nodes take 1 byte more. */
    private static final long NODE_BYTES_OF_ENTRY = 40;

    /** The class that has values of a size. */
    abstract String nameFor(int valueBytes);

    /** The bytes of a block that holds a key and a value, as a hash map has them. */
    static long blockBytes(int valueBytes) {
        return blocks((long) HEADER + Long.BYTES + valueBytes);
    }

    private static long blocks(long bytes) {
        return (bytes + SegmentLayout.BLOCK - 1) / SegmentLayout.BLOCK * SegmentLayout.BLOCK;
    }

    /** About as many bytes of remote memory as a record takes. */
    abstract long bytesOf(int valueBytes);

    /** How many records it has unless the user says so. */
    int usualRecords() {
        return 10_000;
    }

    /** Whether it finds keys by order, so that it can scan. */
    boolean isOrdered() {
        return this == TREE;
    }

    /** Another view of a map, whose keys are where the workload needs them. */
    KvStore arranged(KvStore store) {
        return store;
    }

    /** As on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
