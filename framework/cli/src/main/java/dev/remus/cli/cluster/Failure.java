// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.cluster;

import dev.remus.config.InvalidConfigException;
import dev.remus.fabric.FabricException;
import java.io.PrintStream;
import java.io.UncheckedIOException;

/** Reports a failure to the user. */
final class Failure {
    private static final String DEBUG = "remus.debug";

    private Failure() {}

    /**
     * Prints the message, and with {@code -Dremus.debug=true} the stack trace.
     *
     * @param where a prefix of the message
     */
    static void print(Throwable failure, String where, PrintStream err) {
        err.println("remus: " + where + message(failure));
        if (Boolean.getBoolean(DEBUG)) {
            failure.printStackTrace(err);
        }
        err.flush();
    }

    /** The message of an exception meant for users; for others also the class and a hint how to get the stack trace. */
    private static String message(Throwable failure) {
        String message = failure.getMessage();
        if (message != null
                && (isExpected(failure) || failure.getClass().getName().startsWith("dev.remus."))) {
            return message;
        }
        return failure + " (REMUS_JAVA_OPTS=-D" + DEBUG + "=true prints the stack trace)";
    }

    private static boolean isExpected(Throwable failure) {
        return failure instanceof FabricException
                || failure instanceof UncheckedIOException
                || failure instanceof IllegalStateException;
    }

    /** The exit status for an exception thrown before the run has started. */
    static int statusAtStart(Throwable failure) {
        boolean expected = failure instanceof FabricException
                || failure instanceof InvalidConfigException
                || failure instanceof StartException
                || failure instanceof UncheckedIOException;
        return expected ? ExitStatus.NOT_STARTED : ExitStatus.FAILED;
    }
}
