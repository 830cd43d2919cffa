// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import java.util.function.Supplier;

/**
 * Objects in local memory that the Compute Threads of one node share, such as what they remember of remote memory. An
 * object is made by the first thread that asks for it, and stays for as long as the {@link ComputeNode} is in use. The
 * framework does not synchronize the threads that use it.
 */
public final class NodeObjects {
    private NodeObjects() {}

    /**
     * The object of a key: the same for all threads of this thread's node.
     *
     * @param key compared by {@code equals}; of a class that only the caller uses, so that no other one chooses the
     *     same
     * @param type the class of the object
     * @param maker makes the object; it must not wait or access remote memory
     * @throws ClassCastException if the object of this key has another class
     */
    public static <T> T of(ComputeThread ct, Object key, Class<T> type, Supplier<? extends T> maker) {
        return type.cast(ct.parts.objects.computeIfAbsent(key, absent -> maker.get()));
    }
}
