// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service;

import dev.remus.cli.cluster.CommandLine;
import dev.remus.cli.cluster.EmulatedLatency;
import dev.remus.cli.cluster.ExitStatus;
import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.config.OnNodeLoss;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import dev.remus.process.Parent;
import java.io.IOException;
import java.io.PrintStream;

/** The command {@code service}, which runs the nodes of the service: one in this process, or all as processes. */
public final class ServiceCommand {
    /** The name of the command. */
    public static final String NAME = "service";

    private ServiceCommand() {}

    /**
     * Runs the command.
     *
     * @param mainClass the main class of each node, whose arguments are the name of this command and its command line
     * @param args the command line, without the name
     * @return an {@link ExitStatus}
     */
    public static int run(Class<?> mainClass, PrintStream out, PrintStream err, String... args) {
        OptionSet options = ServiceOptions.all();
        return CommandLine.run(
                NAME, options, arguments -> run(mainClass, options, arguments, out, err), out, err, args);
    }

    private static int run(Class<?> mainClass, OptionSet options, Arguments arguments, PrintStream out, PrintStream err)
            throws IOException, InterruptedException {
        check(arguments);
        if (!Parent.exists()) {
            EmulatedLatency.print(RemusOptions.clusterConfig(arguments), out);
        }
        if (arguments.isGiven(RemusOptions.NODE_ID)) {
            return new ServiceNodeRun(arguments, out, err).run();
        }
        Arguments named =
                options.parse(ServiceOptions.uniqueName(), arguments.words().toArray(String[]::new));
        LocalService service = new LocalService(mainClass, named, out, err);
        try (StopSignal stop = new StopSignal(service.toStop())) {
            int status;
            try {
                service.start();
                service.supervise(() -> false);
                status = ExitStatus.FAILED; // no node is left
            } catch (InterruptedException e) {
                status = ExitStatus.OK;
            } finally {
                Thread.interrupted(); // the nodes get their time to stop
                service.close();
            }
            return stop.endWith(status);
        }
    }

    /** Rejects what no service can be with. */
    static void check(Arguments arguments) {
        ClusterConfig config = RemusOptions.clusterConfig(arguments);
        if (config.onNodeLoss() != OnNodeLoss.CONTINUE) {
            throw arguments.usageError(
                    RemusOptions.of(ClusterSettings.ON_NODE_LOSS),
                    OnNodeLoss.CONTINUE + ": a service goes on when a node is lost");
        }
        if (config.firstComputeNode() <= config.lastMemoryNode()
                && config.firstMemoryNode() <= config.lastComputeNode()) {
            throw arguments.usageError(
                    RemusOptions.FIRST_CN_ID, "the ids of Compute Nodes that are no Memory Nodes: those restart alone");
        }
    }
}
