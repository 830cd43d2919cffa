// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page10;

import dev.remus.node.ComputeThread;

// #region interface
/** A double-ended queue of ints in remote memory, with room for a fixed number of items. */
public interface RemoteDeque {
    /** The result of {@link #pop} without an item. */
    long EMPTY = Long.MIN_VALUE;

    /** Adds an item at that end; returns whether there was room. */
    boolean push(Side side, int item, ComputeThread ct);

    /** Removes the item at that end and returns it, or {@link #EMPTY}. */
    long pop(Side side, ComputeThread ct);

    /** Gives all memory back, while no other thread uses the deque. */
    void destroy(ComputeThread ct);
}
// #endregion interface
