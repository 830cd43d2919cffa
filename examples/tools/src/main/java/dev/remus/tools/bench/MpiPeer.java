package dev.remus.tools.bench;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Open MPI: two processes that {@code mpirun} has started, of which the first does one-sided operations on the memory of
 * the second, as many as it is asked for. Over the component for shared memory ({@code osc sm}).
 */
final class MpiPeer implements AutoCloseable {
    private static final String SOURCE = "mpi-rma.c";
    private static final int COMPILE_SECONDS = 60;
    private static final int END_SECONDS = 10;

    private final Path folder;
    private final Process process;
    private final BufferedWriter questions;
    private final BufferedReader answers;

    private MpiPeer(Path folder, Process process) {
        this.folder = folder;
        this.process = process;
        this.questions = process.outputWriter(StandardCharsets.UTF_8);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Whether its compiler and its launcher are on the path. */
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

    /** Its version, in one line. */
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
     * Compiles and starts it.
     *
     * @throws IOException saying why it cannot be
     */
    static MpiPeer start() throws IOException {
        Path folder = Files.createTempDirectory("remus-mpi-");
        try {
            Path source = folder.resolve(SOURCE);
            try (InputStream resource = MpiPeer.class.getResourceAsStream(SOURCE)) {
                Files.copy(resource, source);
            }
            Path program = folder.resolve("mpi-rma");
            compile(source, program);
            ProcessBuilder builder = new ProcessBuilder(
                    "mpirun",
                    "-n",
                    "2",
                    "--oversubscribe",
                    "--bind-to",
                    "none",
                    "--mca",
                    "osc",
                    "sm",
                    program.toString());
            // Its memory is offered by a process of the same user: nothing that root should not do.
            builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT", "1");
            builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
            return new MpiPeer(
                    folder,
                    builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
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

    /** Does an operation so many times; returns the nanoseconds for all of them. */
    long run(MpiOperation operation, long n) throws IOException {
        questions.write(operation.mpi() + " " + n + "\n");
        questions.flush();
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("the MPI processes have ended: see above");
        }
        return Long.parseLong(answer.substring(0, answer.indexOf(' ')));
    }

    /** Ends the processes. */
    void stop() {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
    }

    @Override
    public void close() throws IOException {
        try {
            questions.close(); // the end of its input
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                stop();
            }
        } catch (IOException e) {
            stop(); // it has ended before
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stop();
        } finally {
            remove(folder);
        }
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
