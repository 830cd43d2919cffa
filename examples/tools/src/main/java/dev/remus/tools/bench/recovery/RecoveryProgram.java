// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.recovery;

import dev.remus.cli.cluster.Job;
import dev.remus.cli.cluster.Program;
import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.config.OnNodeLoss;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import dev.remus.tools.bench.suite.JsonReport;
import java.util.List;

/** The program of {@code bench recovery}: the Compute Nodes die one after the other, until two are left. */
final class RecoveryProgram implements Program {
    static final String NAME = "recovery";

    static final String SUMMARY = "Kills Compute Nodes that hold a lock, and measures how long the others wait for it.";

    private final List<String> words;

    /** @param words the words of the command line, as the user gave them */
    RecoveryProgram(List<String> words) {
        this.words = List.copyOf(words);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return SUMMARY;
    }

    @Override
    public OptionSet options() {
        return new OptionSet(
                        "./remus bench " + NAME,
                        SUMMARY
                                + " A thread takes a lock, and its process kills itself by SIGKILL. All other threads"
                                + " want the lock. This is repeated with the next node, until two Compute Nodes are"
                                + " left. Each wait is measured on the waiter's own clock, so the nodes may be on"
                                + " several machines. Without --node-id, seven Compute Nodes run on this machine.")
                .include(JsonReport.group())
                .include(RemusOptions.groups())
                .example("./remus bench recovery")
                .example("./remus bench recovery --last-cn-id 20");
    }

    @Override
    public Job prepare(Arguments arguments, ClusterConfig cluster) {
        int leastLast = cluster.firstComputeNode() + RecoveryJob.SURVIVORS;
        if (cluster.lastComputeNode() < leastLast) {
            throw arguments.usageError(
                    RemusOptions.LAST_CN_ID, leastLast + " or more: " + RecoveryJob.SURVIVORS + " live on, others die");
        } else if (cluster.lastMemoryNode() >= cluster.firstComputeNode() + RecoveryJob.SURVIVORS) {
            throw arguments.usageError(
                    RemusOptions.LAST_MN_ID, "a node that is not killed: memory must not be lost with a Compute Node");
        } else if (cluster.onNodeLoss() != OnNodeLoss.CONTINUE) {
            throw arguments.usageError(
                    RemusOptions.of(ClusterSettings.ON_NODE_LOSS), "continue: else the first death ends the run");
        }
        return new RecoveryJob(words);
    }
}
