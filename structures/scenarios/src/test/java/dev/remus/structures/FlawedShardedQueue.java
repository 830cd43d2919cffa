// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.record.RemoteLongArray;
import java.util.ArrayList;
import java.util.List;

/** A flawed sharded queue, whose mistakes the simulator must find. */
final class FlawedShardedQueue implements RemoteQueue<Long> {
    /** The mistakes. */
    enum Flaw {
        /** None. */
        NONE,
        /** An enqueue goes elsewhere if its own shard is full, and so out of order. */
        ENQUEUE_ELSEWHERE,
        /** A dequeue looks at its own shard only. */
        DEQUEUE_AT_HOME_ONLY,
        /** A dequeue does not look again at a shard of others that it has found empty once. */
        EMPTY_IS_REMEMBERED,
        /** A dequeue that finds its own shard empty moves an item there from another shard. */
        ITEMS_MOVE
    }

    private final Flaw flaw;
    private final List<ScalableQueue<Long>> shards = new ArrayList<>();
    private final List<Integer> foundEmpty = new ArrayList<>();
    private final int home;

    FlawedShardedQueue(RdmaPtr<?> This, Flaw flaw, ComputeThread ct) {
        this.flaw = flaw;
        RemoteLongArray rings = RemoteLongArray.open(new RdmaPtr<>(This.raw()), ct);
        for (int i = 0; i < rings.length(); i++) {
            shards.add(new ScalableQueue<>(new RdmaPtr<>(rings.load(i, ct)), Codecs.LONG, ct));
        }
        home = ct.id() % shards.size();
    }

    private int next(int i) {
        return (home + i) % shards.size();
    }

    @Override
    public boolean tryEnqueue(Long item, ComputeThread ct) {
        int most = flaw == Flaw.ENQUEUE_ELSEWHERE ? shards.size() : 1;
        for (int i = 0; i < most; i++) {
            if (shards.get(next(i)).tryEnqueue(item, ct)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Dequeued<Long> tryDequeue(ComputeThread ct) {
        int most = flaw == Flaw.DEQUEUE_AT_HOME_ONLY ? 1 : shards.size();
        for (int i = 0; i < most; i++) {
            if (flaw == Flaw.EMPTY_IS_REMEMBERED && i > 0 && foundEmpty.contains(i)) {
                continue;
            }
            Dequeued<Long> dequeued = shards.get(next(i)).tryDequeue(ct);
            if (dequeued.isItem()) {
                return dequeued;
            }
            if (flaw == Flaw.ITEMS_MOVE && i == 0) {
                move(ct);
            }
            foundEmpty.add(i);
        }
        return Dequeued.empty();
    }

    private void move(ComputeThread ct) {
        Dequeued<Long> moved = shards.get(next(1)).tryDequeue(ct);
        if (moved.isItem()) {
            shards.get(home).tryEnqueue(moved.item(), ct);
        }
    }

    @Override
    public void destroy(ComputeThread ct) {
        for (ScalableQueue<Long> shard : shards) {
            shard.destroy(ct);
        }
    }
}
