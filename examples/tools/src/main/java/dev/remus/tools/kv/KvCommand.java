// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.tools.harness.ModelOptions;
import java.io.PrintStream;

/** {@code ./remus kv}: a run of the experiment with maps on a real cluster, or several on a simulated one. */
public final class KvCommand {
    /** The name of the command. */
    public static final String NAME = KvProgram.NAME;

    private KvCommand() {}

    /**
     * Runs the experiment, or a {@link KvModel}, as the command line requests.
     *
     * @param mainClass the main class of each node, see {@link ProgramRunner}
     * @return an {@link dev.remus.cli.cluster.ExitStatus}
     */
    public static int run(Class<?> mainClass, PrintStream out, PrintStream err, String... args) {
        return ModelOptions.areRequested(args)
                ? new KvModel(out, err).run(args)
                : new ProgramRunner(new KvProgram(), mainClass, out, err).run(args);
    }
}
