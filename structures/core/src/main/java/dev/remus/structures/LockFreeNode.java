// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.record.RemoteBytes;
import dev.remus.record.RemoteRecord;
import dev.remus.record.RemoteRef;

/**
 * A view of a node of a {@link LockFreeList}. A map's node has its value behind these words.
 *
 * <pre>
 *  0               bytes of a key      + 8               + bytes of a value
 *  +---------------+-------------------+-----------------+
 *  | key           | next, marked once | value, in a map |
 *  |               | it is removed     |                 |
 *  +---------------+-------------------+-----------------+
 *    WRITE, before   WRITE, before it    WRITE, before
 *    it is linked    is linked; then     it is linked
 *                    COMPARE_AND_SWAP
 * </pre>
 */
class LockFreeNode<K> extends RemoteRecord {
    final RemoteBytes key;
    final RemoteRef<LockFreeNode<K>> next;

    LockFreeNode(KeyType<K> keyType) {
        key = immutable(bytesField(keyType.bytes()));
        next = atomic(refField());
    }
}
