package dev.remus.options;

import java.io.PrintStream;

/**
 * A command line that cannot be used. The message names the option and what it needs; {@link #usage} is the program's
 * whole usage text. A program prints both to the error stream and exits with {@link #EXIT_STATUS}.
 */
public final class UsageException extends RuntimeException {
    /** The exit status of a program that was called wrongly. */
    public static final int EXIT_STATUS = 2;

    private static final long serialVersionUID = 1L;

    /** The usage text of the program. */
    private final String usage;

    /**
     * A complaint about a command line; {@link Arguments#usageError} makes one for a program's own checks.
     *
     * @param message names the option, what was given and what it needs
     * @param usage the usage text of the program
     */
    UsageException(String message, String usage) {
        super(message);
        this.usage = usage;
    }

    /**
     * The usage text of the program.
     *
     * @return lines that end with a line feed
     */
    public String usage() {
        return usage;
    }

    /**
     * Prints the message, an empty line and the usage text.
     *
     * @param stream normally the error stream
     */
    public void printTo(PrintStream stream) {
        stream.println(getMessage());
        stream.println();
        stream.print(usage);
        stream.flush();
    }
}
