// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.shell;

import dev.remus.cli.cluster.CommandLine;
import dev.remus.cli.cluster.ExitStatus;
import dev.remus.config.ClusterConfig;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import jdk.jshell.tool.JavaShellToolBuilder;

/** Opens JShell with a {@link LiveCluster}. */
public final class ShellCommand {
    /** The name of the command. */
    public static final String NAME = "shell";

    private static final OptionSpec<Long> MEMORY_NODES = OptionSpec.integer(
                    "--memory-nodes", 1, 16, "The number of Memory Nodes")
            .withDefault(2L);

    private static final OptionSpec<Integer> THREADS = RemusOptions.CN_THREADS.withDefault(4);

    private static final String STARTUP = """
            import dev.remus.config.*;
            import dev.remus.lock.*;
            import dev.remus.memory.*;
            import dev.remus.node.*;
            import dev.remus.record.*;
            import dev.remus.structures.*;
            import java.util.*;
            import java.util.function.*;
            import java.util.stream.*;
            var cluster = dev.remus.tools.shell.LiveCluster.current();
            var config = cluster.config();
            var compute = cluster.compute();
            var ct = cluster.open();
            void inThread(int index, ComputeNode.Body body) throws Exception { cluster.inThread(index, body); }
            """;

    private static final String WELCOME = """
            A cluster runs in this process: %,d Memory Nodes, and a Compute Node with %,d Compute Threads (%s).
              ct        Compute Thread 0, in which all lines run, such as  ct.root().set(LongFastLazyListSet.create(ct))
              inThread  runs code in another one, such as  inThread(1, other -> System.out.println(other.id()))
              compute, config, and the packages of the framework and the structures are at hand; /exit ends
            """;

    private ShellCommand() {}

    /**
     * Runs the command.
     *
     * @return an {@link dev.remus.cli.cluster.ExitStatus}
     */
    public static int run(PrintStream out, PrintStream err, String... args) {
        return run(Optional.empty(), out, err, args);
    }

    /** @param in the lines of a user; empty for the terminal */
    static int run(Optional<InputStream> in, PrintStream out, PrintStream err, String... args) {
        OptionSet options = new OptionSet(
                        "./remus " + NAME,
                        "Opens JShell, the interactive Java of the JDK, with a cluster that lives in the same process.")
                .include(new OptionGroup("Cluster", MEMORY_NODES, THREADS, RemusOptions.SEG_SIZE))
                .example("./remus shell")
                .example("./remus shell --memory-nodes 1 --cn-threads 8");
        if (ModuleLayer.boot().findModule("jdk.jshell").isEmpty()) {
            err.println("remus: ./remus " + NAME + " needs a JDK, and this Java is only a JRE; set JAVA_HOME to a JDK");
            return ExitStatus.NOT_STARTED;
        }
        return CommandLine.run(NAME, options, arguments -> open(in, arguments, out, err), out, err, args);
    }

    private static int open(Optional<InputStream> in, Arguments arguments, PrintStream out, PrintStream err)
            throws IOException {
        Path startup = Files.createTempFile("remus-shell", ".jsh");
        try (LiveCluster cluster = LiveCluster.start(config(arguments))) {
            Files.writeString(startup, STARTUP);
            ClusterConfig config = cluster.config();
            out.printf(WELCOME, config.memoryNodes(), config.threadsPerNode(), config.fabric());
            JavaShellToolBuilder shell =
                    JavaShellToolBuilder.builder().out(out).err(err, err).locale(Locale.ROOT);
            in.ifPresent(lines -> shell.in(lines, InputStream.nullInputStream()));
            return shell.start(
                    "--class-path",
                    System.getProperty("java.class.path"),
                    "--execution",
                    OwnerThreadProvider.NAME,
                    "--startup",
                    startup.toString());
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) { // start declares it, and says nothing about when
            throw new IOException("JShell has failed: " + e, e);
        } finally {
            Files.deleteIfExists(startup);
        }
    }

    private static ClusterConfig config(Arguments arguments) {
        int memoryNodes = Math.toIntExact(arguments.get(MEMORY_NODES));
        return ClusterConfig.builder()
                .cluster("shell-" + ProcessHandle.current().pid())
                .memoryNodes(0, memoryNodes - 1)
                .computeNodes(memoryNodes, memoryNodes)
                .threadsPerNode(arguments.get(THREADS))
                .segmentSizeLog2(arguments.get(RemusOptions.SEG_SIZE))
                .build();
    }
}
