// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.progress;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Properties of the terminal that output goes to. */
public final class Terminal {
    private static final int USUAL_ROWS = 24;
    private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

    private Terminal() {}

    /** Whether this is the process's error stream, and it and the standard streams are connected to a terminal. */
    static boolean isErrorStream(PrintStream stream) {
        return stream == System.err && System.console() != null && isTerminal(STANDARD_ERROR);
    }

    /** Whether this is the process's standard output and is connected to a terminal. */
    public static boolean isOutput(PrintStream stream) {
        return stream == System.out && System.console() != null && isTerminal(STANDARD_OUTPUT);
    }

    /** Whether to use colours on a terminal, see no-color.org. */
    public static boolean usesColour() {
        String noColour = System.getenv("NO_COLOR");
        return (noColour == null || noColour.isEmpty()) && !"dumb".equals(System.getenv("TERM"));
    }

    /** The number of rows of the terminal; 24 if it is unknown. */
    public static int rows() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            int rows = Integer.parseInt(size.split(" ")[0]);
            return rows > 1 ? rows : USUAL_ROWS;
        } catch (IOException | NumberFormatException e) {
            return USUAL_ROWS;
        }
    }

    /** Whether a stream is connected to a terminal. Java reports this only for input and output together. */
    private static boolean isTerminal(Path stream) {
        try {
            String device = Files.readSymbolicLink(stream).toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty") || device.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return !Files.exists(Path.of("/proc")); // not Linux: rely on the console
        }
    }
}
