// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service;

import dev.remus.memory.OutOfRemoteMemoryException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Root;
import dev.remus.structures.Encoding;
import dev.remus.structures.MapTable;
import dev.remus.structures.RemoteHashMap;

/** The map of the service, which the first thread of the cluster makes and all others find by the name of its root. */
final class SharedMap {
    private static final String ROOT = "service";

    /** A key that no request can have. */
    private static final String NO_KEY = "";

    private SharedMap() {}

    /** Makes a thread's handle of the map. */
    static RemoteHashMap<String, byte[]> open(ComputeThread ct) {
        return handle(find(ct), ct);
    }

    /**
     * Carries out each operation before a request waits for it: a Java VM that has just started loads their classes
     * then, and the Compute Thread fetches its reserve of blocks, for which it waits up to {@code --alloc-wait} if
     * memory is full.
     */
    static void warmUp(RemoteHashMap<String, byte[]> map, ComputeThread ct) {
        try {
            map.put(NO_KEY, new byte[1], ct);
            map.put(NO_KEY, new byte[2], ct);
        } catch (OutOfRemoteMemoryException e) {
            // a full map is served all the same: requests that add to it are refused
        }
        map.get(NO_KEY, ct);
        map.remove(NO_KEY, ct);
        map.get(NO_KEY, ct);
    }

    private static RemoteHashMap<String, byte[]> handle(RdmaPtr<MapTable> map, ComputeThread ct) {
        return new RemoteHashMap<>(map, Encoding.strings(), Encoding.arrays(), ct);
    }

    private static RdmaPtr<MapTable> find(ComputeThread ct) {
        Root root = ct.root(ROOT);
        RdmaPtr<MapTable> found = root.get();
        if (!found.isNull()) {
            return found;
        }
        RdmaPtr<MapTable> made = RemoteHashMap.create(ct);
        RdmaPtr<MapTable> first = root.compareAndExchange(RdmaPtr.nullPointer(), made);
        if (first.isNull()) {
            return made;
        }
        handle(made, ct).destroy(ct); // another thread was faster
        return first;
    }
}
