package dev.remus.cli.cluster;

import dev.remus.config.InvalidConfigException;
import dev.remus.fabric.FabricException;
import java.io.PrintStream;
import java.io.UncheckedIOException;

/** How a failure is told to the user. */
final class Failure {
    private static final String DEBUG = "remus.debug";

    private Failure() {}

    /**
     * Prints the reason; the stack trace only with {@code -Dremus.debug=true}.
     *
     * @param where put before it
     */
    static void print(Throwable failure, String where, PrintStream err) {
        err.println("remus: " + where + message(failure));
        if (Boolean.getBoolean(DEBUG)) {
            failure.printStackTrace(err);
        }
        err.flush();
    }

    /** The message of those exceptions that are made to be read; of others also the kind, and how to learn more. */
    private static String message(Throwable failure) {
        String message = failure.getMessage();
        if (message != null
                && (isExpected(failure) || failure.getClass().getName().startsWith("dev.remus."))) {
            return message;
        }
        return failure + " (REMUS_JAVA_OPTS=-D" + DEBUG + "=true shows where)";
    }

    private static boolean isExpected(Throwable failure) {
        return failure instanceof FabricException
                || failure instanceof UncheckedIOException
                || failure instanceof IllegalStateException;
    }

    /** The exit status for what is thrown before the run has begun. */
    static int statusAtStart(Throwable failure) {
        boolean known = failure instanceof FabricException
                || failure instanceof InvalidConfigException
                || failure instanceof StartException
                || failure instanceof UncheckedIOException;
        return known ? ExitStatus.NOT_STARTED : ExitStatus.FAILED;
    }
}
