// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A process that runs {@link NodeMain}: it reads commands from its standard input and answers each with a line. */
final class NodeVm {
    private static final long START_SECONDS = 120;
    private static final long KILL_SECONDS = 60;

    /** The prefixes of this JVM's options that other JVMs get too. */
    private static final List<String> HANDED_ON = List.of(
            "--",
            "-Dremus.shm.",
            "-XX:SharedArchiveFile=",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:ArchiveRelocationMode=",
            "-XX:ErrorFile=");

    private final Process process;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Queue<String> log = new ConcurrentLinkedQueue<>();

    NodeVm() {
        try {
            process = new ProcessBuilder(command()).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start another JVM", e);
        }
        Thread reader = new Thread(this::readAll, "output of process " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * This JVM's own command line, reduced to options that open packages, concern this software, or concern how JVMs
     * start and crash.
     */
    private static List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (HANDED_ON.stream().anyMatch(flag::startsWith)) {
                command.add(flag);
            }
        }
        String directory = System.getProperty("remus.shm.dir");
        if (directory != null) {
            command.add("-Dremus.shm.dir=" + directory);
        }
        command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
        command.add(System.getProperty("java.class.path"));
        command.add(NodeMain.class.getName());
        return command;
    }

    private void readAll() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(NodeMain.ANSWER)) {
                    answers.add(line.substring(NodeMain.ANSWER.length()));
                } else {
                    log.add(line);
                }
            }
        } catch (IOException e) {
            log.add(e.toString()); // the process was killed while it wrote
        }
    }

    private String answer(String command) {
        try {
            String answer = answers.poll(START_SECONDS, TimeUnit.SECONDS);
            if (answer == null) {
                throw new AssertionError(this + " does not answer to '" + command + "'. It said: " + log);
            }
            return answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for " + this, e);
        }
    }

    /** Opens a node with the arguments that {@link NodeMain} requires. */
    void open(List<String> arguments) {
        try {
            ask(NodeMain.OPEN + String.join(NodeMain.BETWEEN, arguments));
        } catch (AssertionError e) {
            kill();
            throw e;
        }
    }

    /** Sends a command, and waits for the answer. */
    String ask(String command) {
        send(command);
        return answer(command);
    }

    private void send(String command) {
        try {
            process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new AssertionError("cannot send '" + command + "' to " + this + ". Its output: " + log, e);
        }
    }

    /** Ends the process in good order. */
    void end() {
        send("end");
        awaitEnd();
    }

    /** Kills the process. */
    void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(KILL_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError(this + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for " + this, e);
        }
    }

    /** Sends the process a signal, such as {@code -STOP}. */
    void signal(String signal) {
        try {
            // The shell's own kill: that there is a program of this name is not sure.
            int status = new ProcessBuilder("sh", "-c", "kill " + signal + " " + process.pid())
                    .redirectErrorStream(true)
                    .start()
                    .waitFor();
            if (status != 0) {
                throw new AssertionError("kill " + signal + " of " + this + " ended with status " + status);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run kill", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    @Override
    public String toString() {
        return "process " + process.pid();
    }
}
