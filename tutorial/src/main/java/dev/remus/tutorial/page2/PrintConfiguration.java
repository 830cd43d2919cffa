// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page2;

import dev.remus.config.ClusterConfig;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import dev.remus.options.UsageException;

/** Reads the options that every program of Remus has, and prints the configuration that they describe. */
public final class PrintConfiguration {
    private PrintConfiguration() {}

    /** Takes the options of the framework. */
    public static void main(String... args) {
        // #region options
        OptionSet options = new OptionSet("print-configuration", "Prints its configuration as CSV.");
        options.include(RemusOptions.groups());
        // #endregion options
        // #region parse
        try {
            Arguments arguments = options.parse(args);
            if (arguments.helpRequested()) {
                System.out.print(options.usage());
                return;
            }
            ClusterConfig cluster = RemusOptions.clusterConfig(arguments);
            System.out.print(arguments.toCsv());
            System.out.println(cluster.nodes() + " nodes, " + cluster.totalThreads() + " threads");
        } catch (UsageException e) {
            e.printTo(System.err);
            System.exit(UsageException.EXIT_STATUS);
        }
        // #endregion parse
    }
}
