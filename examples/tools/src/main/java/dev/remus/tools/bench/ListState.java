// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.structures.LazyListSet;
import dev.remus.structures.LongLazyListSet;
import java.util.SplittableRandom;

/** A lazy list of 2048 keys in its own cluster, and a source of keys, half of them in the list. */
final class ListState implements AutoCloseable {
    private static final int KEYS = 4096;

    private final SplittableRandom random = new SplittableRandom(1);
    private final OneProcess cluster;
    private final ComputeThread ct;
    private final RdmaPtr<LazyListSet.Shared> This;
    private final LongLazyListSet set;

    ListState(OneProcess cluster) {
        this.cluster = cluster;
        ct = cluster.ct();
        This = LongLazyListSet.create(ct);
        set = new LongLazyListSet(This);
        for (int key = KEYS - 2; key >= 0; key -= 2) {
            set.insert(key, ct);
        }
    }

    RdmaPtr<LazyListSet.Shared> This() {
        return This;
    }

    ComputeThread ct() {
        return ct;
    }

    long key() {
        return random.nextInt(KEYS);
    }

    boolean contains() {
        return set.contains(key(), ct);
    }

    @Override
    public void close() {
        cluster.close();
    }
}
