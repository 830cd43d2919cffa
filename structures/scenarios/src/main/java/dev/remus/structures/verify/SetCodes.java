// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.verify;

import dev.remus.structures.spec.SetOperation;
import dev.remus.verify.RecordedRun;

/** How an {@link dev.remus.verify.OperationLog} records the operations of a set. The value is the key. */
public final class SetCodes implements RecordedRun.Codes<SetOperation<Long>, Boolean> {
    /** The kind of an operation that searches. */
    public static final int CONTAINS = SetOperation.Kind.CONTAINS.ordinal();

    /** The kind of an operation that adds a key. */
    public static final int INSERT = SetOperation.Kind.INSERT.ordinal();

    /** The kind of an operation that removes a key. */
    public static final int REMOVE = SetOperation.Kind.REMOVE.ordinal();

    private static final int TRUE = 1;
    private static final SetOperation.Kind[] KINDS = SetOperation.Kind.values();

    /** Makes the codes of sets, which are always the same. */
    public SetCodes() {}

    /** The outcome of an operation. */
    public static int outcome(boolean answer) {
        return answer ? TRUE : 0;
    }

    @Override
    public SetOperation<Long> operation(int kind, long value) {
        return new SetOperation<>(KINDS[kind], value);
    }

    @Override
    public Boolean result(int kind, int outcome, long value) {
        return outcome == TRUE;
    }

    @Override
    public Boolean pending() {
        return false;
    }
}
