// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.verify;

import dev.remus.structures.spec.QueueOperation;
import dev.remus.structures.spec.QueueResult;
import dev.remus.verify.RecordedRun;
import java.util.function.LongFunction;

/**
 * How an {@link dev.remus.verify.OperationLog} records the operations of a queue. The value is the item that is
 * enqueued, or that a dequeue has returned.
 *
 * @param names names items in drawings, each by a name of its own
 */
public record QueueCodes(LongFunction<String> names)
        implements RecordedRun.Codes<QueueOperation<String>, QueueResult<String>> {
    /** The kind of an operation that enqueues its value. */
    public static final int ENQUEUE = 0;

    /** The kind of an operation that dequeues. */
    public static final int DEQUEUE = 1;

    /** The outcome of an enqueue. */
    public static final int ENQUEUED = 0;

    /** The outcome of a dequeue that returned the item that is its value. */
    public static final int ITEM = 1;

    /** The outcome of a dequeue that found the queue empty. */
    public static final int EMPTY = 2;

    @Override
    public QueueOperation<String> operation(int kind, long value) {
        return kind == ENQUEUE ? QueueOperation.enqueue(names.apply(value)) : QueueOperation.dequeue();
    }

    @Override
    public QueueResult<String> result(int kind, int outcome, long value) {
        return switch (outcome) {
            case ENQUEUED -> QueueResult.enqueued();
            case ITEM -> QueueResult.of(names.apply(value));
            default -> QueueResult.empty();
        };
    }

    @Override
    public QueueResult<String> pending() {
        return QueueResult.empty();
    }
}
