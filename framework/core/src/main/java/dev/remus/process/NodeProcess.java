// SPDX-License-Identifier: Apache-2.0
package dev.remus.process;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The process of a node of a cluster on this machine. */
public final class NodeProcess {
    private static final long LAST_LINES_MILLIS = 5_000;
    private static final int SIGNALLED = 128;

    private final int id;
    private final Process process;
    private final List<Thread> pumps = new ArrayList<>();
    private long endedNanos;
    private boolean stopped;

    /**
     * Starts the process.
     *
     * @param id the id of the node, for messages and for {@code out} and {@code err}
     * @param flags its JVM options
     * @param mainClass its main class, on the class path of this process
     * @param arguments the arguments of its main class
     * @param out gets the lines of its standard output
     * @param err gets the lines of its error stream
     * @throws UncheckedIOException if the process cannot be started
     * @throws IllegalStateException if this process runs from jars that are nested in another, which the new process
     *     could not find
     */
    public NodeProcess(int id, List<String> flags, String mainClass, List<String> arguments, Lines out, Lines err) {
        this.id = id;
        refuseNestedJars();
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(flags);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(mainClass);
        command.addAll(arguments);
        try {
            process = new ProcessBuilder(command).start();
        } catch (IOException e) {
            throw new UncheckedIOException("node " + id + " cannot be started: " + e.getMessage(), e);
        }
        pump(process.getInputStream(), line -> out.accept(id, line));
        pump(process.getErrorStream(), line -> err.accept(id, line));
    }

    private static void refuseNestedJars() {
        CodeSource source = NodeProcess.class.getProtectionDomain().getCodeSource();
        if (source != null && "jar".equals(source.getLocation().getProtocol())) {
            throw new IllegalStateException("a process of a node cannot be started from " + source.getLocation()
                    + ": Java does not find classes in nested jars; unzip the outer jar and start the program from there,"
                    + " for example with -cp 'BOOT-INF/classes:BOOT-INF/lib/*'");
        }
    }

    /** A consumer of the lines that a node prints. */
    public interface Lines {
        /** Takes one line. */
        void accept(int node, String line);
    }

    private void pump(InputStream from, Consumer<String> to) {
        Thread pump = new Thread(() -> copyLines(from, to), "output of node " + id);
        pump.setDaemon(true);
        pump.start();
        pumps.add(pump);
    }

    private static void copyLines(InputStream from, Consumer<String> to) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                to.accept(line);
            }
        } catch (IOException e) {
            // the process was killed: no more lines
        }
    }

    /** The id of the node. */
    public int id() {
        return id;
    }

    /** Whether its process is running. */
    public boolean isAlive() {
        boolean alive = process.isAlive();
        if (!alive && endedNanos == 0) {
            endedNanos = System.nanoTime();
        }
        return alive;
    }

    /** Whether it has ended with a status other than 0. */
    public boolean hasFailed() {
        return !isAlive() && status() != 0;
    }

    /** The exit status of a process that has ended. */
    public int status() {
        return process.exitValue();
    }

    /** The time at which it was first seen to have ended. */
    public long endedNanos() {
        return endedNanos;
    }

    /** Whether it was stopped by this object. */
    public boolean wasStopped() {
        return stopped;
    }

    /** Whether a signal has ended it that this object did not send. */
    public boolean wasKilled() {
        return !stopped && !isAlive() && status() > SIGNALLED;
    }

    /** Asks the process to end. */
    public void stop() {
        stopped |= process.isAlive();
        process.destroy();
    }

    /** Kills the process. */
    public void kill() {
        stopped |= process.isAlive();
        process.destroyForcibly();
    }

    /**
     * Sends a signal, such as {@code STOP}, and returns once it is sent; does nothing if the process has ended.
     *
     * @throws IOException if the signal cannot be sent
     * @throws InterruptedException if this thread is interrupted while it waits for that
     */
    public void signal(String signal) throws IOException, InterruptedException {
        Signals.send(process.toHandle(), signal);
    }

    /**
     * Waits until it has ended and its last lines are read, or the time is over. A pending interrupt does not end the
     * wait, and stays set.
     */
    public void await(long millis) {
        boolean interrupted = Thread.interrupted();
        try {
            if (process.waitFor(millis, TimeUnit.MILLISECONDS)) {
                for (Thread pump : pumps) {
                    pump.join(LAST_LINES_MILLIS);
                }
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A sentence such as {@code node 1 was killed by signal 9}. */
    public String howItEnded() {
        if (stopped) {
            return "node " + id + " did not end by itself and was stopped";
        }
        int status = status();
        return status > SIGNALLED
                ? "node " + id + " was killed by signal " + (status - SIGNALLED)
                : "node " + id + " ended with status " + status;
    }
}
