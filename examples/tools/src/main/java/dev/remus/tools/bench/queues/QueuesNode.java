// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.queues;

import dev.remus.cli.cluster.GracefulShutdown;
import dev.remus.cli.cluster.ProgramRunner;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

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
        String[] words = Arrays.copyOfRange(args, 1, args.length);
        int status = new ProgramRunner(new QueuesProgram(List.of(words)), QueuesNode.class, out, err).run(words);
        GracefulShutdown.leaveStatusToSignal();
        System.exit(status);
    }
}
