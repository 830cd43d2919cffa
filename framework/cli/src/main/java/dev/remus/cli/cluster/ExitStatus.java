// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.cluster;

/** The exit statuses of programs. */
public final class ExitStatus {
    /** The run succeeded. */
    public static final int OK = 0;

    /** The run failed. */
    public static final int FAILED = 1;

    /** Nothing was run: the command line is wrong, or the machine cannot run it. */
    public static final int NOT_STARTED = 2;

    private ExitStatus() {}
}
