// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.node.ComputeThread;

/**
 * A first-in-first-out queue in remote memory, as seen by one thread. Items have a fixed size ({@link
 * dev.remus.record.Codec}).
 *
 * <p>An implementation has, besides these methods, a static creator that makes an empty queue in remote memory and
 * returns the {@link dev.remus.memory.RdmaPtr} to it, and a public constructor that takes this pointer and makes a
 * local handle. Handles belong to one thread each; all that are made from one pointer work on the same queue.
 *
 * @param <T> items
 */
public interface RemoteQueue<T> {
    /** Puts an item at the end; false if there is no room for it, and then nothing has changed. */
    boolean tryEnqueue(T item, ComputeThread ct);

    /** Takes the item at the front, if there is one. */
    Dequeued<T> tryDequeue(ComputeThread ct);

    /** Frees all memory of the queue. No thread may use it meanwhile or afterwards. */
    void destroy(ComputeThread ct);
}
