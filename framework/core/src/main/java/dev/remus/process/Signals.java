// SPDX-License-Identifier: Apache-2.0
package dev.remus.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Sends signals to processes. */
public final class Signals {
    private static final long SECONDS = 60;

    private Signals() {}

    /**
     * Sends a signal, and returns once it is sent; does nothing if the process has ended.
     *
     * @param signal its name without {@code SIG}, such as {@code STOP}
     * @throws IOException if the signal cannot be sent
     * @throws InterruptedException if this thread is interrupted while it waits for that
     */
    public static void send(ProcessHandle process, String signal) throws IOException, InterruptedException {
        // The kill built into the shell: a minimal system has no such program.
        Process shell = new ProcessBuilder("sh", "-c", "kill -" + signal + " " + process.pid())
                .redirectErrorStream(true)
                .start();
        if (!shell.waitFor(SECONDS, TimeUnit.SECONDS)) {
            shell.destroyForcibly();
            throw new IOException("the shell that sends signal " + signal + " does not end");
        }
        if (shell.exitValue() != 0 && process.isAlive()) {
            String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            throw new IOException(
                    "signal " + signal + " could not be sent to process " + process.pid() + ": " + output.strip());
        }
    }
}
