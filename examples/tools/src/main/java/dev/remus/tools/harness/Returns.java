// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.config.Reclamation;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;

/** What {@code --returns} demands of the other options of an experiment. */
public final class Returns {
    private Returns() {}

    /**
     * Rejects options under which {@linkplain LateThreads late threads} could not join in the middle.
     *
     * @throws dev.remus.options.UsageException if nodes may come back, and the threads meet while they operate
     */
    public static void check(Arguments arguments, ClusterConfig cluster) {
        if (cluster.returns() > 0 && cluster.reclaim() == Reclamation.BARRIER) {
            throw arguments.usageError(
                    RemusOptions.of(ClusterSettings.RETURNS), "0 with --reclaim barrier: use --reclaim epochs");
        }
    }

    /**
     * The same for a program with an option for operations before the run, which a late thread could not tell from it.
     *
     * @throws dev.remus.options.UsageException also if nodes may come back and that option is given
     */
    public static void check(Arguments arguments, ClusterConfig cluster, OptionSpec<?> warmUp) {
        check(arguments, cluster);
        if (cluster.returns() > 0 && arguments.isGiven(warmUp)) {
            throw arguments.usageError(RemusOptions.of(ClusterSettings.RETURNS), "0 with " + warmUp.name());
        }
    }
}
