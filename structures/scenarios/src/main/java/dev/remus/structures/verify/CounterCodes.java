// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.verify;

import dev.remus.verify.RecordedRun;

/**
 * How an {@link dev.remus.verify.OperationLog} records the operations of a counter. The value is the number that is
 * added, or the sum that was found.
 */
public final class CounterCodes implements RecordedRun.Codes<String, String> {
    /** The kind of an operation that adds its value. */
    public static final int ADD = 0;

    /** The kind of an operation that sums up. */
    public static final int SUM = 1;

    /** The outcome of any operation that has returned. */
    public static final int DONE = 0;

    /** Makes the codes of counters, which are always the same. */
    public CounterCodes() {}

    @Override
    public String operation(int kind, long value) {
        return kind == ADD ? "add(" + value + ")" : "sum()";
    }

    @Override
    public String result(int kind, int outcome, long value) {
        return kind == ADD ? "added" : Long.toString(value);
    }

    @Override
    public String pending() {
        return "";
    }
}
