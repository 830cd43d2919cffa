// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.baseline;

import dev.remus.lock.RemoteLock;
import dev.remus.record.Codec;
import dev.remus.record.RemoteBytes;
import dev.remus.record.RemoteRecord;

/** A view of the memory of an element, and of the lock that guards it. */
final class ElementCell extends RemoteRecord {
    final RemoteBytes lock;
    final RemoteBytes element;

    ElementCell(int threads, Codec<?> codec) {
        lock = bytesField(RemoteLock.bytes(threads));
        element = bytesField(new QueueElement<>(codec).bytes());
    }
}
