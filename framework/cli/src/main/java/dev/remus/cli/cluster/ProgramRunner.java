// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.cluster;

import dev.remus.cli.progress.ProgressLog;
import dev.remus.cli.progress.ProgressReporter;
import dev.remus.cli.progress.ProgressView;
import dev.remus.cli.progress.ProgressViews;
import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.FabricException;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.options.UsageException;
import dev.remus.process.JvmFlags;
import dev.remus.process.Parent;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Runs a {@link Program} with a command line. With {@code --node-id}, it runs that node in this process. Without it, it
 * runs all nodes of a cluster on this machine, with defaults for a small one.
 */
public final class ProgramRunner {
    /** The defaults without --node-id: one Memory Node, and two Compute Nodes with two threads each. */
    private static final Map<String, String> SMALL_CLUSTER = Map.of(
            RemusOptions.FIRST_MN_ID.name(), "0",
            RemusOptions.LAST_MN_ID.name(), "0",
            RemusOptions.FIRST_CN_ID.name(), "1",
            RemusOptions.LAST_CN_ID.name(), "2",
            RemusOptions.MN_PORT.name(),
                    String.valueOf(ClusterSettings.MEMORY_PORT.defaultValue().orElseThrow()),
            RemusOptions.CN_THREADS.name(), "2");

    private final Program program;
    private final String mainClass;
    private final PrintStream out;
    private final PrintStream err;
    private final ProgressView view;

    /**
     * @param mainClass the main class of each node, whose arguments are the name of the program and its command line
     */
    public ProgramRunner(Program program, Class<?> mainClass, PrintStream out, PrintStream err) {
        this(program, mainClass, out, err, ProgressViews.forUser(err));
    }

    /**
     * @param mainClass the main class of each node, whose arguments are the name of the program and its command line
     * @param view shows the progress of the run
     */
    public ProgramRunner(Program program, Class<?> mainClass, PrintStream out, PrintStream err, ProgressView view) {
        this.program = program;
        this.mainClass = mainClass.getName();
        this.out = out;
        this.err = err;
        this.view = view;
    }

    /**
     * Makes this process end when its parent ends, if it is a node of a local cluster. Call it first in the main
     * method.
     *
     * @return whether the process has a parent, which reads its output as UTF-8
     */
    public static boolean watchParent() {
        if (Parent.exists()) {
            Parent.watch(System.in);
        }
        return Parent.exists();
    }

    /**
     * Runs a stand-alone program from its main method, and ends the process with its {@link ExitStatus}.
     *
     * @param mainClass the calling main class, which is also started for each node of a local cluster
     * @param args the arguments of the main method
     */
    public static void main(Program program, Class<?> mainClass, String... args) {
        String[] commandLine = args;
        boolean hasParent = watchParent();
        printReadably();
        if (hasParent) {
            commandLine = Arrays.copyOfRange(args, 1, args.length); // without the name of the program
        }
        int status = new ProgramRunner(program, mainClass, System.out, System.err).run(commandLine);
        GracefulShutdown.leaveStatusToSignal();
        System.exit(status);
    }

    /**
     * Makes output readable in every locale. A process with a parent, which reads its lines as UTF-8, prints UTF-8.
     * Others print in the character set of the locale ({@link LocalePrintStream}): ASCII under C and POSIX, the
     * defaults over ssh and in containers. This also holds if the shell redirects the output to a file or a pipe. The
     * files that programs write are UTF-8 in every locale.
     */
    public static void printReadably() {
        Charset charset = Parent.exists() ? StandardCharsets.UTF_8 : charset(System.getProperties());
        System.setOut(new LocalePrintStream(new FileOutputStream(FileDescriptor.out), charset));
        System.setErr(new LocalePrintStream(new FileOutputStream(FileDescriptor.err), charset));
    }

    /** The character set of the locale; the first property exists since Java 19. */
    private static Charset charset(Properties properties) {
        String name = properties.getProperty("stdout.encoding", properties.getProperty("native.encoding", "UTF-8"));
        return Charset.isSupported(name) ? Charset.forName(name) : StandardCharsets.UTF_8;
    }

    /**
     * Runs the program.
     *
     * @param args its command line, without its name
     * @return an {@link ExitStatus}
     */
    public int run(String... args) {
        try {
            OptionSet options = program.options().defaultsWithout(RemusOptions.NODE_ID, SMALL_CLUSTER);
            Arguments arguments = options.parse(args);
            if (arguments.helpRequested()) {
                out.print(options.usage());
                out.flush();
                return ExitStatus.OK;
            }
            Fabric fabric = fabric(arguments);
            return arguments.isGiven(RemusOptions.NODE_ID)
                    ? runNode(arguments, args)
                    : runCluster(localArguments(options, fabric, args), args);
        } catch (UsageException e) {
            e.printTo(err);
            return UsageException.EXIT_STATUS;
        } catch (StartException | FabricException e) {
            Failure.print(e, "", err);
            return ExitStatus.NOT_STARTED;
        }
    }

    /** The options of a cluster on this machine, with a name and hosts if the command line has none. */
    private static Arguments localArguments(OptionSet options, Fabric fabric, String... args) {
        Map<String, String> defaults = new LinkedHashMap<>(Map.of(RemusOptions.CLUSTER.name(), uniqueName()));
        Arguments given = options.parse(defaults, args);
        if (given.isGiven(RemusOptions.HOSTS) || given.isGiven(RemusOptions.HOST_PATTERN)) {
            return given;
        }
        ClusterConfig config = RemusOptions.clusterConfig(given);
        Optional<String> host = fabric.localHost(config);
        if (host.isEmpty()) {
            return given;
        }
        int nodes = config.nodes();
        defaults.put(RemusOptions.HOSTS.name(), String.join(",", Collections.nCopies(nodes, host.orElseThrow())));
        return options.parse(defaults, args);
    }

    /** The fabric that a command line names; an unknown name is a usage error. */
    private static Fabric fabric(Arguments arguments) {
        ClusterConfig cluster = RemusOptions.clusterConfig(arguments);
        try {
            return Fabric.of(cluster);
        } catch (FabricException e) {
            throw arguments.usageError(String.valueOf(e.getMessage()));
        }
    }

    private static String uniqueName() {
        return "local-" + ProcessHandle.current().pid() + "-"
                + Integer.toHexString(ThreadLocalRandom.current().nextInt());
    }

    /**
     * The defaults of a cluster on this machine: those in the help, a placeholder for the node id, and a unique name.
     */
    public static Map<String, String> localDefaults() {
        Map<String, String> values = new LinkedHashMap<>(SMALL_CLUSTER);
        values.put(RemusOptions.NODE_ID.name(), "0");
        values.put(RemusOptions.CLUSTER.name(), uniqueName());
        return values;
    }

    private int runCluster(Arguments arguments, String... args) {
        Instant started = Instant.now();
        ClusterConfig cluster = RemusOptions.clusterConfig(arguments);
        Job job = program.prepare(arguments, cluster);
        EmulatedLatency.print(cluster, out);
        Optional<Path> results = createResults(job, arguments);
        ProgressLog log = new ProgressLog();
        List<String> jvmFlags = JvmFlags.forChild(cluster, job.heapMib());
        List<String> flags = new ArrayList<>(jvmFlags);
        flags.addAll(Parent.flags(results.map(Path::toAbsolutePath)));
        ClusterRun run = new ClusterRun(cluster, flags, mainClass, nodeArguments(arguments, args), out, err, view, log);
        try (GracefulShutdown end = new GracefulShutdown(run::stop)) {
            int status;
            try {
                status = run.run(end);
            } finally {
                results.ifPresent(ResultsFolder::removeIfEmpty);
            }
            complete(job, results, new RunRecord(started, command(args), jvmFlags, log));
            return status;
        }
    }

    /**
     * The arguments of a node: the name of the program, the defaults, then the user's arguments, which come last since
     * they may contain a {@code --}.
     */
    private List<String> nodeArguments(Arguments arguments, String... args) {
        List<String> words = new ArrayList<>(List.of(program.name()));
        List<OptionSpec<?>> needed = List.of(
                RemusOptions.FIRST_MN_ID,
                RemusOptions.LAST_MN_ID,
                RemusOptions.FIRST_CN_ID,
                RemusOptions.LAST_CN_ID,
                RemusOptions.MN_PORT,
                RemusOptions.CN_THREADS,
                RemusOptions.CLUSTER);
        for (OptionSpec<?> spec : needed) {
            if (!arguments.isGiven(spec)) {
                words.add(spec.name() + "=" + arguments.get(spec));
            }
        }
        if (!arguments.isGiven(RemusOptions.HOSTS)
                && !arguments.get(RemusOptions.HOSTS).isEmpty()) {
            words.add(RemusOptions.HOSTS.name() + "=" + String.join(",", arguments.get(RemusOptions.HOSTS)));
        }
        words.addAll(List.of(args));
        return words;
    }

    private int runNode(Arguments arguments, String... args) {
        Instant started = Instant.now();
        ClusterConfig cluster = RemusOptions.clusterConfig(arguments);
        int id = RemusOptions.nodeId(arguments);
        Job job = program.prepare(arguments, cluster);
        boolean child = Parent.exists();
        if (!child) {
            EmulatedLatency.print(cluster, out);
        }
        ResultsOnDemand results = new ResultsOnDemand(() -> child ? Parent.results() : createResults(job, arguments));
        if (id == cluster.firstComputeNode()) {
            results.get(); // now, so that a wrong --out is an error before the run
        }
        NodeContext context = new NodeContext(out, child, results);
        ProgressLog log = new ProgressLog();
        ProgressView shown = child ? MachineLine.view(out) : log.around(id, view);
        NodeRun run = new NodeRun(cluster, id, job, context, err);
        try (GracefulShutdown end = new GracefulShutdown(run::stop)) {
            int status;
            try (ProgressReporter reporter = new ProgressReporter(context.progress(), shown, child)) {
                status = run.run(end);
            } finally {
                results.created().ifPresent(ResultsFolder::removeIfEmpty);
            }
            if (!child) {
                complete(job, results.created(), new RunRecord(started, command(args), JvmFlags.ofThisVm(), log));
            }
            return status;
        }
    }

    private List<String> command(String... args) {
        List<String> words = new ArrayList<>(List.of(program.name()));
        words.addAll(List.of(args));
        return words;
    }

    /** Completes the results; a failure to do so does not fail the run. */
    private void complete(Job job, Optional<Path> results, RunRecord record) {
        if (results.isEmpty() || !Files.exists(results.get())) {
            return; // the run has left no files
        }
        try {
            job.complete(results.get(), record).ifPresent(out::println);
        } catch (IOException | RuntimeException e) {
            err.println("remus: the report cannot be written: " + e);
        }
    }

    private Optional<Path> createResults(Job job, Arguments arguments) {
        return job.leavesResults()
                ? Optional.of(ResultsFolder.create(arguments.get(RemusOptions.OUT), program.name()))
                : Optional.empty();
    }
}
