// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.baseline;

import dev.remus.lock.RemoteLock;
import dev.remus.record.RemoteBytes;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;

/** A view of a thread's reference to the head or the tail, which may be out of date, and of the lock that guards it. */
final class QueueReference extends RemoteRecord {
    final RemoteBytes lock;
    final RemoteLong element = longField();
    final RemoteLong position = longField();

    QueueReference(int threads) {
        lock = bytesField(RemoteLock.bytes(threads));
    }
}
