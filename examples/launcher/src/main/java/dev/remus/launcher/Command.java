// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher;

import dev.remus.cli.cluster.Program;
import dev.remus.cli.cluster.ProgramRunner;
import java.io.PrintStream;

/**
 * A command that {@link Main} runs; its one-line summary is in the {@link Catalogue}.
 *
 * @param name the first argument that selects it
 * @param body the code that it runs
 */
record Command(String name, Body body) {
    /** The code of a command. */
    interface Body {
        /**
         * Runs the command.
         *
         * @param out receives its output
         * @param err receives errors and progress
         * @param args the arguments after the name
         * @return an {@link dev.remus.cli.cluster.ExitStatus}
         */
        int run(PrintStream out, PrintStream err, String... args);
    }

    /**
     * Makes a command of a program that runs as a cluster.
     *
     * @param mainClass the main class for {@link ProgramRunner}
     */
    static Command of(Program program, Class<?> mainClass) {
        return new Command(
                program.name(), (out, err, args) -> new ProgramRunner(program, mainClass, out, err).run(args));
    }
}
