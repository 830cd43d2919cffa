// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.cluster;

import dev.remus.config.ClusterConfig;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.UsageException;

/** A program with a command line that the Compute Threads of a cluster run together. */
public interface Program {
    /** The end of the summary of a program that {@link ProgramRunner} runs. */
    String LOCAL_CLUSTER =
            "With --node-id, this process is that node of a cluster. Without it, all nodes are started on this"
                    + " machine, and required options have defaults: node 0 offers memory, nodes 1 and 2 run two"
                    + " Compute Threads each.";

    /** The name of the program. */
    String name();

    /** A one-line summary. */
    String summary();

    /** The options, including those of {@link dev.remus.options.RemusOptions}. */
    OptionSet options();

    /**
     * Reads the program's own options and rejects invalid ones. It is called in every process, before anything is
     * started.
     *
     * @throws UsageException if options contradict each other
     */
    Job prepare(Arguments arguments, ClusterConfig cluster);
}
