// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.baseline;

import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.node.ComputeThread;
import dev.remus.record.Atomic;
import dev.remus.record.Codec;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;

/**
 * A view of an element of a lock-based queue. Only the holder of the lock that guards it READs and WRITEs it.
 *
 * <pre>
 *  0        8        16         24      32
 * +--------+--------+----------+-------+-----------+
 * | self   | next   | position | state | item      |
 * +--------+--------+----------+-------+-----------+
 *  self      the reference to this element: distinguishes it from others that have used the same memory
 *  next      the reference to its successor, 0 if it is the last
 *  position  how many elements were before it
 *  state     0, IN_QUEUE or DEQUEUED
 * </pre>
 */
final class QueueElement<T> extends RemoteRecord {
    static final long IN_QUEUE = 1;
    static final long DEQUEUED = 2;

    final RemoteLong self = longField();
    final RemoteLong next = longField();
    final RemoteLong position = longField();
    final RemoteLong state = longField();

    final Atomic<T> item;

    QueueElement(Codec<T> codec) {
        item = field(codec);
    }

    /** WRITEs all of it, again if the lane breaks: a new element that has no successor yet. */
    void begin(long reference, T value, ComputeThread ct) {
        stage(reference, value, ct);
        while (!isStored(ct)) {
            stage(reference, value, ct);
        }
    }

    private boolean isStored(ComputeThread ct) {
        try {
            storeStaged(ct);
            return true;
        } catch (OutcomeUnknownException e) {
            ct.pause();
            return false;
        }
    }

    private void stage(long reference, T value, ComputeThread ct) {
        self.stage(reference, ct);
        next.stage(0, ct);
        position.stage(0, ct);
        state.stage(IN_QUEUE, ct);
        item.stage(value, ct);
    }
}
