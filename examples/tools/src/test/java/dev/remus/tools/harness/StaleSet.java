// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.structures.LazyListSet;
import java.util.HashMap;
import java.util.Map;

/**
 * A set whose books always balance, and which is wrong: a search answers from what its thread last knew about the key,
 * though another thread may have changed it since.
 */
public final class StaleSet extends OwnSet {
    private final Map<Long, Boolean> known = new HashMap<>();

    /** Makes an empty set in remote memory. */
    public static RdmaPtr<LazyListSet.Shared> create(ComputeThread ct) {
        return OwnSet.create(ct);
    }

    /** A handle to a set. */
    public StaleSet(RdmaPtr<LazyListSet.Shared> This) {
        super(This);
    }

    @Override
    public boolean contains(long key, ComputeThread ct) {
        return known.computeIfAbsent(key, k -> super.contains(k, ct));
    }

    @Override
    public boolean insert(long key, ComputeThread ct) {
        known.put(key, true);
        return super.insert(key, ct);
    }

    @Override
    public boolean remove(long key, ComputeThread ct) {
        known.put(key, false);
        return super.remove(key, ct);
    }
}
