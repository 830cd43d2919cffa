package dev.remus.cli.progress;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether somebody watches. */
public final class Terminal {
    private static final int USUAL_ROWS = 24;
    private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

    private Terminal() {}

    /** Whether this is the process's own error stream, and both it and the other streams end at a terminal. */
    static boolean watches(PrintStream stream) {
        return stream == System.err && System.console() != null && isTerminal(STANDARD_ERROR);
    }

    /** Whether this is the process's own output, and that ends at a terminal. */
    public static boolean isOutput(PrintStream stream) {
        return stream == System.out && System.console() != null && isTerminal(STANDARD_OUTPUT);
    }

    /** Whether the user wants colours at a terminal: see no-color.org. */
    public static boolean wantsColour() {
        String noColour = System.getenv("NO_COLOR");
        return (noColour == null || noColour.isEmpty()) && !"dumb".equals(System.getenv("TERM"));
    }

    /** How many rows the terminal has; 24 if it does not tell. */
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

    /** Java knows this of input and output only. */
    private static boolean isTerminal(Path stream) {
        try {
            String device = Files.readSymbolicLink(stream).toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty") || device.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return !Files.exists(Path.of("/proc")); // not Linux: the console has to do
        }
    }
}
