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
 *  0               bytes of a key      + 8      + 16
 *  +---------------+-------------------+--------+
 *  | key           | next, marked once | lock   |
 *  |               | it is removed     |        |
 *  +---------------+-------------------+--------+
 *    WRITE, before   WRITE, by the       COMPARE_AND_SWAP:
 *    it is linked    lock's holder       {@link LockWords}
 * </pre>
 */
final class ListNode<K> extends RemoteRecord {
    final RemoteBytes key;
    final RemoteRef<ListNode<K>> next;
    final RemoteLong lock;

    ListNode(KeyType<K> keyType) {
        key = immutable(bytesField(keyType.bytes()));
        next = refField();
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

    /** Does not wait: the next holder sees it later. */
    void release(long mark, ComputeThread ct) {
        ct.lockWords().postRelease(lock.pointer(), mark);
    }
}
