// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A program for Open MPI, compiled in a folder of its own. Its processes share memory, by the component {@code osc sm}.
 */
final class MpiProgram implements AutoCloseable {
    private static final int COMPILE_SECONDS = 60;

    private final Path folder;
    private final Path program;

    private MpiProgram(Path folder, Path program) {
        this.folder = folder;
        this.program = program;
    }

    /** Whether MPI's compiler and launcher are on the path. */
    static boolean isInstalled() {
        return isOnPath("mpicc") && isOnPath("mpirun");
    }

    private static boolean isOnPath(String program) {
        String path = System.getenv().getOrDefault("PATH", "");
        for (String place : path.split(":")) {
            if (!place.isEmpty() && Files.isExecutable(Path.of(place, program))) {
                return true;
            }
        }
        return false;
    }

    /** The first line that {@code mpirun --version} prints. */
    static String version() throws IOException {
        Process process = new ProcessBuilder("mpirun", "--version")
                .redirectErrorStream(true)
                .start();
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            String first = reader.readLine();
            return first == null ? "mpirun of unknown version" : first.strip();
        }
    }

    /**
     * Compiles a program.
     *
     * @param source the name of a resource beside this class, such as {@code peer.c}
     * @throws IOException if it cannot be compiled; the message has the reason
     */
    static MpiProgram compile(String source) throws IOException {
        Path folder = Files.createTempDirectory("remus-mpi-");
        try {
            Path copy = folder.resolve(source);
            try (InputStream resource = Objects.requireNonNull(MpiProgram.class.getResourceAsStream(source), source)) {
                Files.copy(resource, copy);
            }
            Path program = folder.resolve("program");
            compile(copy, program);
            return new MpiProgram(folder, program);
        } catch (IOException e) {
            remove(folder);
            throw e;
        }
    }

    private static void compile(Path source, Path program) throws IOException {
        Process compiler = new ProcessBuilder(List.of("mpicc", "-O2", "-o", program.toString(), source.toString()))
                .redirectErrorStream(true)
                .redirectOutput(source.resolveSibling("mpicc.log").toFile())
                .start();
        try {
            if (!compiler.waitFor(COMPILE_SECONDS, TimeUnit.SECONDS) || compiler.exitValue() != 0) {
                throw new IOException(
                        "mpicc cannot compile the peer: " + Files.readString(source.resolveSibling("mpicc.log")));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while compiling the peer");
        } finally {
            compiler.destroyForcibly();
        }
    }

    /** What starts its processes. They print errors where this process does. */
    ProcessBuilder start(int processes, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                "mpirun",
                "-n",
                Integer.toString(processes),
                "--oversubscribe",
                "--bind-to",
                "none",
                "--mca",
                "osc",
                "sm",
                program.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        // Its processes only share memory between processes of this user, which is safe as root.
        builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT", "1");
        builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        return builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    @Override
    public void close() throws IOException {
        remove(folder);
    }

    private static void remove(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
