package dev.remus.cli.cluster;

import dev.remus.config.ClusterConfig;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.UsageException;

/** Something that the Compute Threads of a cluster do together, with a command line. */
public interface Program {
    /** Completes the summary of a program that {@link ProgramRunner} runs. */
    String LOCAL_CLUSTER =
            "With --node-id, this process is that node of a cluster. Without, all nodes are started on this"
                    + " machine, and required options that are not given are chosen: node 0 offers memory, nodes 1 and 2 run two"
                    + " Compute Threads each.";

    /** The word by which it is called. */
    String name();

    /** What it does, in one line. */
    String summary();

    /** Its options, those of {@link dev.remus.options.RemusOptions} among them. */
    OptionSet options();

    /**
     * Reads its own options, and refuses what cannot work. Called in every process, before anything is started.
     *
     * @throws UsageException if options contradict each other
     */
    Job prepare(Arguments arguments, ClusterConfig cluster);
}
