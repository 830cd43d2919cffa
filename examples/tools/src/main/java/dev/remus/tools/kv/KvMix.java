package dev.remus.tools.kv;

import java.util.SplittableRandom;

/**
 * The kinds of operations, in percent.
 *
 * @param update the percentage of updates
 * @param insert the percentage of inserts
 * @param rmw the percentage of read-modify-writes
 * @param remove the percentage of removes; the others read
 */
record KvMix(int update, int insert, int rmw, int remove) {
    /** Rejects what is no mix. */
    KvMix {
        if (update < 0 || insert < 0 || rmw < 0 || remove < 0 || update + insert + rmw + remove > 100) {
            throw new IllegalArgumentException("update " + update + ", insert " + insert + ", rmw " + rmw + ", remove "
                    + remove + ": together they need 0 to 100 percent");
        }
    }

    /** The percentage of reads. */
    int read() {
        return 100 - update - insert - rmw - remove;
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
        return left < rmw ? KvOperationKind.RMW : KvOperationKind.REMOVE;
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
