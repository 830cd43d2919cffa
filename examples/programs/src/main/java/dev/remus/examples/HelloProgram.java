// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples;

import dev.remus.cli.cluster.Job;
import dev.remus.cli.cluster.Program;
import dev.remus.config.ClusterConfig;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;

/** The smallest program: nodes connect, every Compute Thread prints a greeting, and the nodes disconnect. */
public final class HelloProgram implements Program {
    @Override
    public String name() {
        return "hello";
    }

    @Override
    public String summary() {
        return "Nodes connect, every Compute Thread prints a greeting, and the nodes disconnect.";
    }

    @Override
    public OptionSet options() {
        return new OptionSet("./remus " + name(), summary() + " " + LOCAL_CLUSTER)
                .include(RemusOptions.groups())
                .example("./remus hello")
                .example("./remus hello --last-cn-id 4 --cn-threads 1");
    }

    @Override
    public Job prepare(Arguments arguments, ClusterConfig cluster) {
        return (ct, context) -> {
            context.print("hello from " + ct + ", thread " + ct.id() + " of " + ct.threads() + ", in process "
                    + ProcessHandle.current().pid());
            ct.barrier();
        };
    }
}
