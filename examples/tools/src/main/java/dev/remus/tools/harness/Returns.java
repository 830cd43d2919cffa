package dev.remus.tools.harness;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.options.Arguments;
import dev.remus.options.RemusOptions;

/** For programs whose threads all begin together, so that a Compute Node which comes back could not join them. */
public final class Returns {
    private Returns() {}

    /**
     * Refuses the option.
     *
     * @throws dev.remus.options.UsageException if nodes may come back
     */
    public static void refuse(Arguments arguments, ClusterConfig cluster) {
        if (cluster.returns() > 0) {
            throw arguments.usageError(
                    RemusOptions.of(ClusterSettings.RETURNS),
                    "0: of the experiments, only intset lets nodes come back");
        }
    }
}
