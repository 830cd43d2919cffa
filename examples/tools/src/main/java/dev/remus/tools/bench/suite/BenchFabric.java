// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.suite;

import dev.remus.config.Suggestion;
import dev.remus.fabric.Fabric;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSpec;
import java.util.Collections;
import java.util.ServiceLoader;
import java.util.TreeSet;

/** The fabric of a benchmark, by the name on its command line. */
public final class BenchFabric {
    private BenchFabric() {}

    /**
     * The name, checked before anything is measured; an unknown name is a usage error.
     *
     * @param option the option that names the fabric
     * @param others names that the benchmark accepts besides those of fabrics
     */
    public static String name(Arguments arguments, OptionSpec<String> option, String... others) {
        String name = arguments.get(option);
        TreeSet<String> names = new TreeSet<>();
        Collections.addAll(names, others);
        ServiceLoader.load(Fabric.class, Fabric.class.getClassLoader()).forEach(fabric -> names.add(fabric.name()));
        if (!names.contains(name)) {
            throw arguments.usageError(
                    option, "one of " + String.join(", ", names) + Suggestion.didYouMean(name, names));
        }
        return name;
    }
}
