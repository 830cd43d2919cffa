// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import java.util.SplittableRandom;

/**
 * The kinds of operations, in percent.
 *
 * @param update the percentage of updates
 * @param insert the percentage of inserts
 * @param rmw the percentage of read-modify-writes
 * @param remove the percentage of removes
 * @param scan the percentage of scans; the others read
 */
record KvMix(int update, int insert, int rmw, int remove, int scan) {
    /** Rejects what is no mix. */
    KvMix {
        int others = update + insert + rmw + remove + scan;
        if (update < 0 || insert < 0 || rmw < 0 || remove < 0 || scan < 0 || others > 100) {
            throw new IllegalArgumentException("update " + update + ", insert " + insert + ", rmw " + rmw + ", remove "
                    + remove + ", scan " + scan + ": together they need 0 to 100 percent");
        }
    }

    /** A mix without scans. */
    KvMix(int update, int insert, int rmw, int remove) {
        this(update, insert, rmw, remove, 0);
    }

    /** The percentage of reads. */
    int read() {
        return 100 - update - insert - rmw - remove - scan;
    }

    /** Draws the kind of the next operation. */
    KvOperationKind draw(SplittableRandom random) {
        int left = random.nextInt(100) - read();
        if (left < 0) {
            return KvOperationKind.READ;
        }
        left -= update;
        if (left < 0) {
            return KvOperationKind.UPDATE;
        }
        left -= insert;
        if (left < 0) {
            return KvOperationKind.INSERT;
        }
        left -= rmw;
        if (left < 0) {
            return KvOperationKind.RMW;
        }
        return left < remove ? KvOperationKind.REMOVE : KvOperationKind.SCAN;
    }

    /** For example {@code 95 % read, 5 % insert}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        append(text, read(), "read");
        append(text, update, "update");
        append(text, insert, "insert");
        append(text, rmw, "read-modify-write");
        append(text, remove, "remove");
        append(text, scan, "scan");
        return text.toString();
    }

    private static void append(StringBuilder text, int percent, String kind) {
        if (percent > 0) {
            text.append(text.isEmpty() ? "" : ", ")
                    .append(percent)
                    .append(" % ")
                    .append(kind);
        }
    }
}
