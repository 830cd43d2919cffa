// SPDX-License-Identifier: Apache-2.0
package dev.remus.options;

import java.io.PrintStream;

/**
 * A command line that cannot be used. The message names the option and what it needs. A program prints it with {@link
 * #printTo} and exits with {@link #EXIT_STATUS}.
 */
public final class UsageException extends RuntimeException {
    /** The exit status of a program with a wrong command line. */
    public static final int EXIT_STATUS = 2;

    private static final long serialVersionUID = 1L;

    private final String program;
    private final String synopsis;

    /**
     * The error of a command line; {@link Arguments#usageError} makes one for a program's own checks.
     *
     * @param message names the option, what was given and what it needs
     * @param program how the program is called
     * @param synopsis how the program is called with its options, in one line
     */
    UsageException(String message, String program, String synopsis) {
        super(message);
        this.program = program;
        this.synopsis = synopsis;
    }

    /**
     * Prints how the program is called, how to get its help, and the message last, where a terminal still shows it.
     *
     * @param stream normally the error stream
     */
    public void printTo(PrintStream stream) {
        print(synopsis, program, String.valueOf(getMessage()), stream);
    }

    /**
     * Prints the error of a program that has no {@link OptionSet}, in the same way.
     *
     * @param synopsis how the program is called with its options, in one line
     * @param program how the program is called
     * @param message the mistake, and what would be accepted
     * @param stream normally the error stream
     */
    public static void print(String synopsis, String program, String message, PrintStream stream) {
        stream.println(synopsis);
        stream.println("Try: " + program + " --help");
        stream.println(message);
        stream.flush();
    }
}
