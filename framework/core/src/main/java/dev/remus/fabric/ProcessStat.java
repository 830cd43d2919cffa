// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What the kernel shows of a process in {@code /proc/PID/stat}: {@code pid (name) state ppid ...}, where the name may
 * contain anything.
 *
 * @param state the letter of its state, for instance {@code T} for a stopped process
 * @param start when it was started, in ticks since the machine's start; the id and this name a process for ever
 */
public record ProcessStat(String state, String start) {
    /** Counted from the state, which is the third field of the line; the time of the start is the 22nd. */
    private static final int START = 19;

    /** Empty if there is no such process, or it cannot be seen from here. */
    public static Optional<ProcessStat> of(String pid) {
        try {
            String line = Files.readString(Path.of("/proc", pid, "stat"), StandardCharsets.ISO_8859_1);
            String[] fields = line.substring(line.lastIndexOf(')') + 1).trim().split(" ");
            return fields.length > START ? Optional.of(new ProcessStat(fields[0], fields[START])) : Optional.empty();
        } catch (IOException | InvalidPathException e) {
            return Optional.empty();
        }
    }

    /** That of this process; empty if it cannot be seen. */
    public static Optional<ProcessStat> ofThisProcess() {
        return of(Long.toString(ProcessHandle.current().pid()));
    }

    /** Whether the process has ended, and only its parent has not asked for its status yet. */
    public boolean hasEnded() {
        return state.equals("Z") || state.equals("X");
    }

    /** Whether a signal or a debugger has stopped the process. */
    public boolean isStopped() {
        return state.equalsIgnoreCase("T");
    }
}
