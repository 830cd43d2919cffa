package dev.remus.examples;

import dev.remus.examples.cluster.Program;
import dev.remus.examples.cluster.ProgramRunner;
import java.io.PrintStream;

/**
 * The first word of a command line, and what it stands for.
 *
 * @param name the word
 * @param summary what it does, in one line
 * @param body does it
 */
record Command(String name, String summary, Body body) {
    /** What a command does. */
    interface Body {
        /**
         * Runs the command.
         *
         * @param out gets its output
         * @param err gets complaints and progress
         * @param args the command line behind the name
         * @return an {@link dev.remus.examples.cluster.ExitStatus}
         */
        int run(PrintStream out, PrintStream err, String... args);
    }

    /** A program that runs as a cluster. */
    static Command of(Program program) {
        return new Command(
                program.name(),
                program.summary(),
                (out, err, args) -> new ProgramRunner(program, Main.class, out, err).run(args));
    }
}
