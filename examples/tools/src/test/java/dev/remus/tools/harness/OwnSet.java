// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.structures.LazyListSet;
import dev.remus.structures.LongLazyListSet;
import dev.remus.structures.RemoteLongSet;

/** A set such as an importer might write, which prints a line when a thread opens it. */
public class OwnSet implements RemoteLongSet {
    private final LongLazyListSet list;

    /** Makes an empty set in remote memory. */
    public static RdmaPtr<LazyListSet.Shared> create(ComputeThread ct) {
        return LongLazyListSet.create(ct);
    }

    /** A handle to a set. */
    public OwnSet(RdmaPtr<LazyListSet.Shared> This) {
        System.out.println("opened " + getClass().getSimpleName());
        list = new LongLazyListSet(This);
    }

    @Override
    public boolean contains(long key, ComputeThread ct) {
        return list.contains(key, ct);
    }

    @Override
    public boolean insert(long key, ComputeThread ct) {
        return list.insert(key, ct);
    }

    @Override
    public boolean remove(long key, ComputeThread ct) {
        return list.remove(key, ct);
    }

    @Override
    public long checkedSize(ComputeThread ct) {
        return list.checkedSize(ct);
    }

    @Override
    public void destroy(ComputeThread ct) {
        list.destroy(ct);
    }
}
