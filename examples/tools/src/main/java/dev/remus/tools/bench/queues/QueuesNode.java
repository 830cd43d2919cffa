package dev.remus.tools.bench.queues;

import dev.remus.cli.cluster.ProgramRunner;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The process of one node of {@code bench queues}. */
final class QueuesNode {
    private QueuesNode() {}

    /**
     * Runs the node and ends the process.
     *
     * @param args the name of the program and its command line
     */
    public static void main(String... args) {
        ProgramRunner.watchParent();
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        System.exit(new ProgramRunner(new QueuesProgram(), QueuesNode.class, out, err)
                .run(Arrays.copyOfRange(args, 1, args.length)));
    }
}
