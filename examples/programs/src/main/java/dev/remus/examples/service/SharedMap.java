// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Root;
import dev.remus.structures.Encoding;
import dev.remus.structures.MapTable;
import dev.remus.structures.RemoteHashMap;

/** The map of the service, which the first thread of the cluster makes and all others find by the name of its root. */
final class SharedMap {
    private static final String ROOT = "service";

    private SharedMap() {}

    /** Makes a thread's handle of the map. */
    static RemoteHashMap<String, byte[]> open(ComputeThread ct) {
        return handle(find(ct), ct);
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
