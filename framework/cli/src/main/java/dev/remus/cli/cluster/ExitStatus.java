package dev.remus.cli.cluster;

/** How a program ends. */
public final class ExitStatus {
    /** All went well. */
    public static final int OK = 0;

    /** The run has failed. */
    public static final int FAILED = 1;

    /** Nothing was run: the command line is wrong, or the machine cannot do what it asks for. */
    public static final int NOT_STARTED = 2;

    private ExitStatus() {}
}
