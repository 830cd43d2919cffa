// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.process.JvmFlags;
import dev.remus.process.Parent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A JVM that runs {@link SimBenchmark}, pinned to one core if {@code taskset} is installed. */
final class SimFork {
    private static final Path TASKSET = Path.of("/usr/bin/taskset");

    /** Lets the simulator switch threads without the operating system, on JVMs that support it. */
    private static final String CONTINUATIONS = "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED";

    private final Jdk jdk;
    private final int threads;
    private final int runs;
    private final int operations;
    private final long millis;

    /** The fork; null before its start. */
    private volatile @Nullable Process process;

    private volatile boolean stopped;

    SimFork(Jdk jdk, int threads, int runs, int operations, long millis) {
        this.jdk = jdk;
        this.threads = threads;
        this.runs = runs;
        this.operations = operations;
        this.millis = millis;
    }

    /** Whether forks are pinned to one core. */
    static boolean isPinned() {
        return Files.isExecutable(TASKSET);
    }

    /**
     * Runs the fork to its end.
     *
     * @throws IOException if it cannot be started or fails; the message has its output
     */
    SimMeasurement run() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        if (isPinned()) {
            command.addAll(List.of(TASKSET.toString(), "-c", String.valueOf(firstProcessor())));
        }
        command.add(jdk.java().toString());
        command.addAll(JvmFlags.forChild(jdk.feature()));
        command.addAll(Parent.flags(Optional.empty()));
        command.addAll(List.of(CONTINUATIONS, "-cp", System.getProperty("java.class.path")));
        command.add(SimBenchmark.class.getName());
        command.addAll(List.of(
                String.valueOf(threads), String.valueOf(runs), String.valueOf(operations), String.valueOf(millis)));
        Process fork = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        process = fork;
        if (stopped) {
            stop(); // stop() was called during the start
        }
        List<String> lines;
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(fork.getInputStream(), StandardCharsets.UTF_8))) {
            lines = out.lines().toList();
        }
        int status = fork.waitFor();
        if (status != 0) {
            throw new IOException("Java " + jdk.version() + " with " + threads + " threads ended with status " + status
                    + ": " + lines);
        }
        return SimMeasurement.of(jdk, threads, lines);
    }

    /** The first processor that this process may run on. */
    private static int firstProcessor() throws IOException {
        String allowed = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .findFirst()
                .orElse(": 0");
        return Integer.parseInt(
                allowed.substring(allowed.indexOf(':') + 1).strip().split("[-,]", 2)[0]);
    }

    /** Ends the fork; called by another thread. */
    void stop() {
        stopped = true;
        Process started = process;
        if (started != null) {
            started.destroyForcibly();
        }
    }
}
