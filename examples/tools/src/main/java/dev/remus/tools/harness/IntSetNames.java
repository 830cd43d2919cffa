// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.structures.LongCachedLazyListSet;
import dev.remus.structures.LongFastLazyListSet;
import dev.remus.structures.LongLazyListSet;
import dev.remus.structures.LongLockFreeListSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Short names of the sets that come with the structures. */
public final class IntSetNames {
    private static final Map<String, Class<?>> CLASSES = new TreeMap<>(Map.of(
            "lazy", LongLazyListSet.class,
            "fast", LongFastLazyListSet.class,
            "cached", LongCachedLazyListSet.class,
            "lockfree", LongLockFreeListSet.class));

    private IntSetNames() {}

    /** The names. */
    static Set<String> all() {
        return CLASSES.keySet();
    }

    /** The class of a short name; any other name is returned unchanged. */
    static String className(String name) {
        Class<?> known = CLASSES.get(name);
        return known == null ? name : known.getName();
    }
}
