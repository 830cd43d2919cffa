// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import dev.remus.jvm.ClassArchive;
import dev.remus.launcher.Main;
import dev.remus.process.JvmFlags;
import dev.remus.process.Signals;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A program started as a process, with its output and its child processes. */
final class Started implements AutoCloseable {
    /** SIGINT in a set of signals. */
    private static final long INTERRUPT = 1 << 1;

    /** The program that runs a command on its own terminal; part of util-linux. */
    static final Path SCRIPT = Path.of("/usr/bin/script");

    /** Flags for short programs, which the JVMs of a cluster inherit. C1 alone nearly halves their time. */
    private static final List<String> QUICK_START =
            List.of("-Xshare:auto", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m");

    private static final ClassArchive CLASSES = ClassArchive.of(singleNode());

    private Duration timeout = Duration.ofSeconds(150);

    private final Process process;
    private final ConcurrentLinkedQueue<String> out = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> err = new ConcurrentLinkedQueue<>();
    private final List<Thread> readers = new ArrayList<>();
    private final Set<ProcessHandle> children = ConcurrentHashMap.newKeySet();

    /** A program that runs all phases of a node: before, during and after the work of its threads. */
    private static List<String> singleNode() {
        List<String> program = new ArrayList<>(JvmFlags.needed());
        program.addAll(List.of(
                "-Dremus.shm.dir=" + Path.of("target/class-archive").toAbsolutePath(),
                Main.class.getName(),
                "intset",
                "--node-id=0",
                "--first-mn-id=0",
                "--last-mn-id=0",
                "--first-cn-id=0",
                "--last-cn-id=0",
                "--mn-port=18515",
                "--cn-threads=2",
                "--num-ops=200",
                "--key-ub=100"));
        return program;
    }

    private Started(Path shm, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(shm.toAbsolutePath().getParent().toFile());
        builder.environment().put("TERM", "xterm");
        builder.environment().put("LC_ALL", "C.UTF-8");
        process = builder.start();
        read(process.getInputStream(), out);
        read(process.getErrorStream(), err);
    }

    /** @param shm the folder used as shared memory */
    static Started of(Path shm, String... args) throws IOException {
        return new Started(shm, command(shm, Main.class, args));
    }

    /** Starts another main class. */
    static Started of(Path shm, Class<?> mainClass, String... args) throws IOException {
        return new Started(shm, command(shm, mainClass, args));
    }

    /** Starts the launcher's main class after a shell command, such as one that sets a limit. */
    static Started after(String shellCommand, Path shm, String... args) throws IOException {
        return new Started(shm, List.of("/bin/sh", "-c", shellCommand + " && exec " + quoted(shm, args)));
    }

    /** Starts the launcher's main class on another JDK with the given feature release. */
    static Started on(Path javaHome, int feature, Path shm, String... args) throws IOException {
        return new Started(shm, command(javaHome, feature, shm, Main.class, args));
    }

    /**
     * Starts the launcher's main class on a terminal. {@link #type} types there, and the output is everything shown
     * there.
     */
    static Started onTerminal(Path shm, String... args) throws IOException {
        return new Started(shm, List.of(SCRIPT.toString(), "-qec", "exec " + quoted(shm, args), "/dev/null"));
    }

    /** Writes a script that starts the launcher's main class with the script's arguments, in place of {@code remus}. */
    static Path script(Path file, Path shm) throws IOException {
        Files.writeString(file, "#!/bin/sh\nexec " + quoted(shm) + " \"$@\"\n");
        if (!file.toFile().setExecutable(true)) {
            throw new IOException(file + " cannot be made executable");
        }
        return file;
    }

    private static String quoted(Path shm, String... args) {
        return command(shm, Main.class, args).stream()
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }

    private static List<String> command(Path shm, Class<?> mainClass, String... args) {
        return command(
                Path.of(System.getProperty("java.home")), Runtime.version().feature(), shm, mainClass, args);
    }

    private static List<String> command(Path javaHome, int feature, Path shm, Class<?> mainClass, String... args) {
        List<String> command = new ArrayList<>();
        command.add(javaHome + File.separator + "bin" + File.separator + "java");
        command.addAll(JvmFlags.needed(feature));
        command.addAll(QUICK_START);
        command.add("-Dremus.shm.dir=" + shm);
        if (feature == Runtime.version().feature()) {
            command.addAll(inheritedFlags());
            command.addAll(CLASSES.options());
        } else {
            command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        }
        command.add(mainClass.getName());
        command.addAll(List.of(args));
        return command;
    }

    /** This JVM's flags for the compiler, the class archive and crash reports, which the JVMs of a cluster inherit. */
    private static List<String> inheritedFlags() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("-XX:"))
                .toList();
    }

    void type(String keys) throws IOException {
        process.getOutputStream().write(keys.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    private void read(InputStream from, ConcurrentLinkedQueue<String> to) {
        Thread reader = new Thread(() -> {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
                lines.lines().forEach(to::add);
            } catch (IOException | UncheckedIOException e) {
                to.add(e.toString());
            }
        });
        reader.setDaemon(true);
        reader.start();
        readers.add(reader);
    }

    String out() {
        return String.join("\n", out);
    }

    String err() {
        return String.join("\n", err);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    /** Sets a longer limit for later waits, as for an emulated machine. */
    Started withTimeout(Duration each) {
        timeout = each;
        return this;
    }

    /** Waits for its end; returns its exit status. */
    int await() {
        await("the end", () -> !process.isAlive());
        try {
            for (Thread reader : readers) {
                reader.join(TimeUnit.SECONDS.toMillis(60));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return process.exitValue();
    }

    /** Waits until its output contains a text, and records its child processes. */
    void awaitOut(String text) {
        await("'" + text + "'", () -> out().contains(text));
        process.descendants().forEach(children::add);
    }

    /** Waits until its error stream contains a text. */
    void awaitErr(String text) {
        await("'" + text + "'", () -> err().contains(text));
    }

    /** Waits until its error stream matches a pattern, or it ends; returns whether it matches. */
    boolean awaitErrOrEnd(Pattern pattern) {
        await("'" + pattern + "' or the end", () -> pattern.matcher(err()).find() || !process.isAlive());
        return pattern.matcher(err()).find();
    }

    private void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("no sign of " + what + "; out:\n" + out() + "\nerr:\n" + err());
            }
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted while waiting for " + what, e);
            }
        }
    }

    /** The process of one of its nodes. */
    ProcessHandle node(int id) throws IOException {
        return node(process.toHandle(), id);
    }

    /** The process of one of the nodes that a given process has started. */
    static ProcessHandle node(ProcessHandle starter, int id) throws IOException {
        for (ProcessHandle child : starter.descendants().toList()) {
            if (words(child).contains("--node-id=" + id)) {
                return child;
            }
        }
        throw new AssertionError("there is no process of node " + id);
    }

    /** The command line of a process, which {@link ProcessHandle} truncates; empty if the process has ended. */
    static List<String> words(ProcessHandle process) throws IOException {
        try {
            return List.of(Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"))
                    .split("\0"));
        } catch (IOException e) {
            if (process.isAlive()) {
                throw e;
            }
            return List.of();
        }
    }

    /** Waits until all recorded processes have ended. */
    void awaitNoChild() {
        await("the end of its nodes", () -> !hasLivingChild());
    }

    /** Whether a recorded process is still alive. */
    boolean hasLivingChild() {
        return children.stream().anyMatch(ProcessHandle::isAlive);
    }

    int children() {
        return children.size();
    }

    /**
     * Sends the signal of Ctrl-C and waits for the end. Where interrupts are ignored, as in background jobs of a shell
     * without job control, sends SIGTERM.
     *
     * @return whether it ended with the signal's status, or during the JVM's start: a JVM that receives a signal while
     *     it starts may end with status 1 and "InternalError: Bad level: 2"
     */
    boolean endsByInterrupt() throws Exception {
        boolean ignored = ignoresInterrupts();
        signal(ignored ? "TERM" : "INT");
        int status = await();
        boolean asItShould = status == (ignored ? 143 : 130)
                || (status == 1 && toString().contains("Error occurred during initialization of VM"));
        if (!asItShould) {
            System.err.println("ended with " + status + " after an interrupt:\n" + this);
        }
        return asItShould;
    }

    /** Whether it ignores interrupts. */
    boolean ignoresInterrupts() throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid() + "/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & INTERRUPT) != 0);
    }

    /** Sends a signal such as {@code TERM} to the process. */
    void signal(String name) throws Exception {
        Signals.send(process.toHandle(), name);
    }

    /** Its output so far. */
    @Override
    public String toString() {
        return "out:\n" + out() + "\nerr:\n" + err();
    }

    @Override
    public void close() {
        process.descendants().forEach(children::add);
        process.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
        await("the end", () -> !process.isAlive());
    }
}
