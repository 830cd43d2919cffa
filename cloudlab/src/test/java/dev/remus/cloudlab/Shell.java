// SPDX-License-Identifier: Apache-2.0
package dev.remus.cloudlab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Commands as a user types them, with what they print on both streams in a file. */
final class Shell {
    /** The folder {@code cloudlab/}. */
    static final Path CLOUDLAB = Path.of("").toAbsolutePath();

    /** The script under test. */
    static final Path CL = CLOUDLAB.resolve("cl");

    /** More where there is an RDMA device, since that is likely to be emulated, and its machine with it. */
    private static final long SECONDS = Machines.haveRdmaDevice() ? 400 : 300;

    private Shell() {}

    /**
     * How a command ended.
     *
     * @param status its exit status
     * @param output what it printed
     */
    record Ended(int status, String output) {}

    /** A command that runs. */
    record Running(Process process, Path output) implements AutoCloseable {
        /** What it has printed so far. */
        String text() throws IOException {
            return Files.readString(output);
        }

        /** Waits for its end. */
        Ended await() throws IOException, InterruptedException {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new AssertionError("did not end within " + SECONDS + " s: " + text());
            }
            return new Ended(process.exitValue(), text());
        }

        /** Waits until it has printed a text. */
        void awaitText(String wanted) throws IOException, InterruptedException {
            for (int i = 0; i < SECONDS * 20; i++) {
                if (text().contains(wanted)) {
                    return;
                }
                if (!process.isAlive()) {
                    break;
                }
                Thread.sleep(50);
            }
            throw new AssertionError("no sign of '" + wanted + "': " + text());
        }

        @Override
        public void close() {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** Starts a command. */
    static Running start(Map<String, String> environment, List<String> command) throws IOException {
        Path output = Files.createTempFile("cl-test", ".txt");
        output.toFile().deleteOnExit();
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .redirectInput(Path.of("/dev/null").toFile());
        builder.environment().putAll(environment);
        return new Running(builder.start(), output);
    }

    /** Runs a command to its end. */
    static Ended run(String... command) throws IOException, InterruptedException {
        return start(Map.of(), List.of(command)).await();
    }

    /** The words of a process's command line, each with a NUL at its end; empty if it has ended. */
    static String commandLine(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline"));
        } catch (IOException e) {
            return "";
        }
    }

    /** Whether a program is on the PATH. */
    static boolean has(String program) throws IOException, InterruptedException {
        return run("sh", "-c", "command -v " + program).status() == 0;
    }

    /** Copies the launcher and the files that it reads into a folder. */
    static void copyLauncher(Path to) throws IOException {
        Path commands = Path.of("examples/launcher/src/main/resources/dev/remus/launcher/commands");
        Files.copy(CLOUDLAB.resolveSibling("remus"), to.resolve("remus"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.createFile(to.resolve("pom.xml"));
        Files.createDirectories(to.resolve(".ci"));
        for (String file : List.of(".ci/commit.sh", ".ci/near.sh")) {
            Files.copy(CLOUDLAB.resolveSibling(file), to.resolve(file));
        }
        Files.createDirectories(to.resolve(commands));
        try (Stream<Path> files = Files.list(CLOUDLAB.resolveSibling(commands))) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(commands).resolve(file.getFileName()));
            }
        }
    }

    /** The text of a file. */
    static String read(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8);
    }
}
