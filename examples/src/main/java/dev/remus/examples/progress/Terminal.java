package dev.remus.examples.progress;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether somebody watches. */
final class Terminal {
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

    private Terminal() {}

    /** Whether this is the process's own error stream, and both it and the other streams end at a terminal. */
    static boolean watches(PrintStream stream) {
        return stream == System.err && System.console() != null && errorIsTerminal();
    }

    /** Java knows this of input and output only. */
    private static boolean errorIsTerminal() {
        try {
            String device = Files.readSymbolicLink(STANDARD_ERROR).toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty") || device.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return !Files.exists(Path.of("/proc")); // not Linux: the console has to do
        }
    }
}
