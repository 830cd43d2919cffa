// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.baseline;

import dev.remus.record.Codec;
import dev.remus.record.RemoteArray;
import dev.remus.record.RemoteBytes;
import dev.remus.record.RemoteLong;

/** A view of a thread's memory in a {@link DecentralizedLockQueue}. */
final class DecentralizedRegion extends QueueRegion {
    final RemoteLong enqueued = longField();
    final RemoteBytes head;
    final RemoteBytes tail;
    private final RemoteArray cells;

    DecentralizedRegion(int threads, int length, Codec<?> codec) {
        long referenceBytes = new QueueReference(threads).bytes();
        head = bytesField(referenceBytes);
        tail = bytesField(referenceBytes);
        cells = arrayField(length, new ElementCell(threads, codec).bytes());
    }

    @Override
    RemoteArray cells() {
        return cells;
    }
}
