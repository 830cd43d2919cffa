// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Figures of a program that a node shows, beside those of the framework, to programs that watch its cluster. The node
 * reads them about once a second. The simulated fabric has no notice board, so nothing shows them there.
 */
public final class NodeFigures {
    /** The key of a figure among the {@link NodeObjects}. */
    private record Key(String name) {}

    private NodeFigures() {}

    /**
     * Shows a figure of this thread's node from now on. If the node shows one of this name already, nothing changes.
     *
     * @param name letters and digits
     * @param figure makes its text, of one line. Another thread calls it; it must not wait or access remote memory
     */
    public static void show(ComputeThread ct, String name, Supplier<String> figure) {
        if (!name.matches("[A-Za-z0-9]+")) {
            throw new IllegalArgumentException("the name of a figure has letters and digits only, not '" + name + "'");
        }
        NodeObjects.of(ct, new Key(name), Supplier.class, () -> figure);
    }

    /** The texts of the figures among the objects of a node, by their names. */
    static Map<String, String> of(Map<Object, Object> objects) {
        Map<String, String> texts = new TreeMap<>();
        objects.forEach((key, figure) -> {
            if (key instanceof Key named && figure instanceof Supplier<?> supplier) {
                texts.put(named.name(), String.valueOf(supplier.get()));
            }
        });
        return texts;
    }
}
