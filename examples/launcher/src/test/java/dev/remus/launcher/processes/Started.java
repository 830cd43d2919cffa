package dev.remus.launcher.processes;

import dev.remus.cli.cluster.JvmFlags;
import dev.remus.cli.cluster.Signals;
import dev.remus.jvm.ClassArchive;
import dev.remus.launcher.Main;
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
import java.util.stream.Collectors;

/** The program, started by a user: a process, what it prints, and the processes that it starts. */
final class Started implements AutoCloseable {
    /** SIGINT in a set of signals. */
    private static final long INTERRUPT = 1 << 1;

    /** Runs a command on a terminal of its own; part of util-linux. */
    static final Path SCRIPT = Path.of("/usr/bin/script");

    /** The quick compiler alone nearly halves what a short program costs; the VMs of a cluster inherit that. */
    private static final List<String> QUICK_START =
            List.of("-Xshare:auto", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m");

    private static final ClassArchive CLASSES = ClassArchive.of(aNodeAlone());

    private Duration patience = Duration.ofSeconds(60);

    private final Process process;
    private final ConcurrentLinkedQueue<String> out = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> err = new ConcurrentLinkedQueue<>();
    private final List<Thread> readers = new ArrayList<>();
    private final Set<ProcessHandle> children = ConcurrentHashMap.newKeySet();

    /** A program that does what a node does before, during and after the work of its threads. */
    private static List<String> aNodeAlone() {
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
        process = builder.start();
        read(process.getInputStream(), out);
        read(process.getErrorStream(), err);
    }

    /** @param shm the folder that stands for the machine's shared memory */
    static Started of(Path shm, String... args) throws IOException {
        return new Started(shm, command(shm, Main.class, args));
    }

    /** Another main class. */
    static Started of(Path shm, Class<?> mainClass, String... args) throws IOException {
        return new Started(shm, command(shm, mainClass, args));
    }

    /** The same after a command of the shell, such as one that sets a limit. */
    static Started after(String shellCommand, Path shm, String... args) throws IOException {
        return new Started(shm, List.of("/bin/sh", "-c", shellCommand + " && exec " + quoted(shm, args)));
    }

    /** The same on another Java, whose feature release this is. */
    static Started on(Path javaHome, int feature, Path shm, String... args) throws IOException {
        return new Started(shm, command(javaHome, feature, shm, Main.class, args));
    }

    /** The same on a terminal, on which {@link #type} types; its output has everything that is shown there. */
    static Started onTerminal(Path shm, String... args) throws IOException {
        return new Started(shm, List.of(SCRIPT.toString(), "-qec", "exec " + quoted(shm, args), "/dev/null"));
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
            command.addAll(ofThisVm());
            command.addAll(CLASSES.options());
        } else {
            command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        }
        command.add(mainClass.getName());
        command.addAll(List.of(args));
        return command;
    }

    /** How this Java VM compiles, what it starts from and where it reports a crash; the VMs of a cluster inherit that. */
    private static List<String> ofThisVm() {
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

    /** Waits longer from now on, as on a machine that is emulated. */
    Started patient(Duration each) {
        patience = each;
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

    /** Waits for a line of its output that contains a text, and notes the processes that it has started. */
    void awaitOut(String text) {
        await("'" + text + "'", () -> out().contains(text));
        process.descendants().forEach(children::add);
    }

    /** Waits for a line of its error stream that contains a text. */
    void awaitErr(String text) {
        await("'" + text + "'", () -> err().contains(text));
    }

    private void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + patience.toNanos();
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

    /** The process of one of the nodes that a process has started. */
    static ProcessHandle node(ProcessHandle starter, int id) throws IOException {
        for (ProcessHandle child : starter.descendants().toList()) {
            // ProcessHandle cuts long command lines off.
            String command = Files.readString(Path.of("/proc/" + child.pid() + "/cmdline"));
            if (List.of(command.split("\0")).contains("--node-id=" + id)) {
                return child;
            }
        }
        throw new AssertionError("there is no process of node " + id);
    }

    /** Waits until none of the processes that were noted is left. */
    void awaitNoChild() {
        await("the end of its nodes", () -> !hasLivingChild());
    }

    /** Whether one of the processes that were noted still lives. */
    boolean hasLivingChild() {
        return children.stream().anyMatch(ProcessHandle::isAlive);
    }

    int children() {
        return children.size();
    }

    /**
     * Does what Ctrl-C does, and waits for the end. Where interrupts are ignored, as in what a shell without job control
     * runs in the background, it is told to end by the other usual signal.
     *
     * @return whether it ended with the status that belongs to the signal, or before Java had begun to run it: a Java VM that a
     *     signal reaches while it starts may end with status 1 and "InternalError: Bad level: 2"
     */
    boolean endsByInterrupt() throws Exception {
        boolean ignored = ignoresInterrupts();
        signal(ignored ? "TERM" : "INT");
        int status = await();
        return status == (ignored ? 143 : 130)
                || (status == 1 && toString().contains("Error occurred during initialization of VM"));
    }

    /** Whether it was started such that interrupts do not reach it. */
    boolean ignoresInterrupts() throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid() + "/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & INTERRUPT) != 0);
    }

    /** Sends it a signal, such as {@code TERM}. */
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
