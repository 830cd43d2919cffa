package dev.remus.launcher;

import dev.remus.cli.cluster.Program;
import dev.remus.cli.cluster.ProgramRunner;
import java.io.PrintStream;

/**
 * A command that is run by {@link Main}. What it does, in one line, is in the {@link Catalogue}.
 *
 * @param name the word by which it is called
 * @param body does it
 */
record Command(String name, Body body) {
    /** What a command does. */
    interface Body {
        /**
         * Runs the command.
         *
         * @param out gets its output
         * @param err gets complaints and progress
         * @param args the command line behind the name
         * @return an {@link dev.remus.cli.cluster.ExitStatus}
         */
        int run(PrintStream out, PrintStream err, String... args);
    }

    /**
     * A program that runs as a cluster.
     *
     * @param mainClass as {@link ProgramRunner} needs it
     */
    static Command of(Program program, Class<?> mainClass) {
        return new Command(
                program.name(), (out, err, args) -> new ProgramRunner(program, mainClass, out, err).run(args));
    }
}
