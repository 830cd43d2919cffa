// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.cluster;

import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;

/** Runs a command: parses its command line, prints its help if asked to, and reports what failed. */
public final class CommandLine {
    /** The work of a command. */
    public interface Body {
        /**
         * Runs the command.
         *
         * @return an {@link ExitStatus}
         * @throws IOException if a file or a folder cannot be read or written
         * @throws InterruptedException if this thread is interrupted
         */
        int run(Arguments arguments) throws IOException, InterruptedException;
    }

    private CommandLine() {}

    /**
     * Runs a command.
     *
     * @param name the name of the command, for messages
     * @param options the options of the command
     * @param body the work, called with the parsed command line; an {@link IOException} is reported in one line
     * @param out gets the help text
     * @param err gets error messages
     * @param args the command line, without the name
     * @return an {@link ExitStatus}
     */
    public static int run(String name, OptionSet options, Body body, PrintStream out, PrintStream err, String... args) {
        try {
            Arguments arguments = options.parse(args);
            if (arguments.helpRequested()) {
                out.print(options.usage());
                out.flush();
                return ExitStatus.OK;
            }
            return body.run(arguments);
        } catch (UsageException e) {
            e.printTo(err);
            return UsageException.EXIT_STATUS;
        } catch (IOException e) {
            err.println("remus " + name + ": " + reason(e));
            return ExitStatus.FAILED;
        } catch (UncheckedIOException e) { // of a folder that is walked
            err.println("remus " + name + ": " + reason(Objects.requireNonNull(e.getCause())));
            return ExitStatus.FAILED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitStatus.FAILED;
        }
    }

    /** The message of a failure, without class names. */
    private static String reason(IOException e) {
        if (e instanceof NoSuchFileException missing) {
            return "there is no " + missing.getFile();
        } else if (e instanceof AccessDeniedException denied) {
            return "no permission for " + denied.getFile();
        }
        return e.getMessage() != null ? e.getMessage() : e.toString();
    }
}
