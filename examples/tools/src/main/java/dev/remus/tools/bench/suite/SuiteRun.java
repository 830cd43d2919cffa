// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.suite;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.GracefulShutdown;
import dev.remus.cli.cluster.StartException;
import dev.remus.fabric.FabricException;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.UsageException;
import java.io.PrintStream;

/** The common frame of all suites: parses the command line, measures, and reports failures. */
public final class SuiteRun {
    /** The command whose first argument names a suite. */
    public static final String COMMAND = "bench";

    private SuiteRun() {}

    /** The part that differs between suites. */
    public interface Measuring {
        /**
         * Measures, then prints and saves the results.
         *
         * @return an {@link ExitStatus}: a missed target is no failure
         */
        int measure(Arguments arguments) throws Exception;
    }

    /**
     * Runs a suite.
     *
     * @param options the options of its command line
     * @param out receives the help text
     * @param err receives errors
     * @param args the command line
     * @return an {@link ExitStatus}
     */
    public static int run(OptionSet options, Measuring measuring, PrintStream out, PrintStream err, String... args) {
        try {
            Arguments arguments = options.include(JsonReport.group()).parse(args);
            if (arguments.helpRequested()) {
                out.print(options.usage());
                out.flush();
                return ExitStatus.OK;
            }
            return measuring.measure(arguments);
        } catch (UsageException e) {
            e.printTo(err);
            return UsageException.EXIT_STATUS;
        } catch (StartException | FabricException e) {
            err.println("remus: " + e.getMessage());
            return ExitStatus.NOT_STARTED;
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            err.println("remus: the measurement could not be finished: " + e);
            return ExitStatus.FAILED;
        }
    }

    /**
     * A measurement in this process that is interrupted, and still cleans up, when the process receives a signal to
     * end.
     */
    public static Measuring cleaningUp(Measuring measuring) {
        return arguments -> {
            try (GracefulShutdown end = new GracefulShutdown(Thread.currentThread()::interrupt)) {
                try {
                    return measuring.measure(arguments);
                } catch (Exception e) {
                    if (end.hasBegun()) {
                        return ExitStatus.FAILED; // a failure is expected from then on
                    }
                    throw e;
                }
            }
        };
    }
}
