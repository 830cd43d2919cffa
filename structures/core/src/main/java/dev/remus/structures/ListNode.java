// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.LockWords;
import dev.remus.record.RemoteBytes;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import dev.remus.record.RemoteRef;

/**
 * A view of a node of a {@link FastLazyListSet}; the two sentinels have no key.
 *
 * <pre>
 *  0               bytes of a key      + 8              + 16     + 24
 *  +---------------+-------------------+----------------+--------+
 *  | key           | next, marked once | stamp, erased  | lock   |
 *  |               | it is removed     | with that mark |        |
 *  +---------------+-------------------+----------------+--------+
 *    WRITE, before   WRITE, by the lock's holder          COMPARE_AND_SWAP:
 *    it is linked                                         {@link LockWords}
 * </pre>
 */
final class ListNode<K> extends RemoteRecord {
    final RemoteBytes key;
    final RemoteRef<ListNode<K>> next;
    final RemoteLong lock;

    ListNode(KeyType<K> keyType) {
        key = immutable(bytesField(keyType.bytes()));
        next = refField();
        stampField();
        lock = longField();
    }

    boolean isRemoved() {
        return RdmaPtr.isMarked(next.fetched());
    }

    boolean isFollowedBy(ListNode<K> other) {
        return next.fetched() == other.pointer();
    }

    boolean sharesMemoryNode(ListNode<K> other) {
        return RdmaPtr.node(pointer()) == RdmaPtr.node(other.pointer());
    }

    /** Marks the node as removed, in the copy, and erases its stamp there. */
    void stageRemoved(ComputeThread ct) {
        next.stage(RdmaPtr.marked(next.fetched()), ct);
        stageErasedStamp(ct);
    }

    /** Does not wait: the next holder sees it later. */
    void release(long mark, ComputeThread ct) {
        ct.lockWords().postRelease(lock.pointer(), mark);
    }
}
