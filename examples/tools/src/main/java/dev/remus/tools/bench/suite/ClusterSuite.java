// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.suite;

import dev.remus.cli.cluster.GracefulShutdown;
import dev.remus.cli.cluster.Program;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.cli.cluster.RunRecord;
import dev.remus.tools.results.Provenance;
import dev.remus.tools.results.ProvenanceFile;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** The common frame of suites that are programs of a cluster, with a process for each node. */
public final class ClusterSuite {
    private ClusterSuite() {}

    /**
     * Runs a suite, or one of its nodes.
     *
     * @param program makes it from the words of its command line
     * @param node the main class of each node, which calls {@link #runNode}
     * @param defaults options for the nodes on this machine, unless they are given or the command line is that of one
     *     node
     * @param out receives the results
     * @param err receives errors and progress
     * @param args the command line, without the name
     * @return an {@link dev.remus.cli.cluster.ExitStatus}: a missed target is no failure
     */
    public static int run(
            Function<List<String>, Program> program,
            Class<?> node,
            List<String> defaults,
            PrintStream out,
            PrintStream err,
            String... args) {
        Stream<String> missing = isGiven("--node-id", args)
                ? Stream.empty()
                : defaults.stream().filter(option -> !isGiven(option.substring(0, option.indexOf('=')), args));
        return new ProgramRunner(program.apply(List.of(args)), node, out, err)
                .run(Stream.concat(missing, Stream.of(args)).toArray(String[]::new));
    }

    private static boolean isGiven(String option, String... args) {
        return Stream.of(args).anyMatch(arg -> arg.equals(option) || arg.startsWith(option + "="));
    }

    /**
     * Runs a node of a suite, and ends the process.
     *
     * @param args the name of the program and its command line
     */
    public static void runNode(Function<List<String>, Program> program, Class<?> node, String... args) {
        ProgramRunner.watchParent();
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        String[] words = Arrays.copyOfRange(args, 1, args.length);
        int status = new ProgramRunner(program.apply(List.of(words)), node, out, err).run(words);
        GracefulShutdown.leaveStatusToSignal();
        System.exit(status);
    }

    /**
     * Adds to the results where they come from.
     *
     * @param name of the suite
     * @param words of its command line, as the user gave them
     */
    public static void writeProvenance(String name, List<String> words, Path results, RunRecord record)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(SuiteRun.COMMAND, name));
        command.addAll(words);
        ProvenanceFile.write(Provenance.of(record).withCommand(command), results);
    }
}
