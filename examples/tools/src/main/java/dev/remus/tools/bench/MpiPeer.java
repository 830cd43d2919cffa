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
 * The Open MPI peer: two processes started by {@code mpirun}. On request, the first does one-sided operations on the
 * memory of the second, over the shared-memory component ({@code osc sm}).
 */
final class MpiPeer implements AutoCloseable {
    private static final String SOURCE = "mpi-rma.c";
    private static final int COMPILE_SECONDS = 60;
    private static final int END_SECONDS = 10;

    private final Path folder;
    private final Process process;
    private final BufferedWriter requests;
    private final BufferedReader replies;

    private MpiPeer(Path folder, Process process) {
        this.folder = folder;
        this.process = process;
        this.requests = process.outputWriter(StandardCharsets.UTF_8);
        this.replies = process.inputReader(StandardCharsets.UTF_8);
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
     * Compiles and starts the peer.
     *
     * @throws IOException if it cannot be compiled or started; the message has the reason
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
            // Its processes only share memory between processes of this user, which is safe as root.
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

    /** Repeats an operation {@code n} times, and returns the total nanoseconds. */
    long run(MpiOperation operation, long n) throws IOException {
        requests.write(operation.mpi() + " " + n + "\n");
        requests.flush();
        String reply = replies.readLine();
        if (reply == null) {
            throw new IOException("the MPI processes have ended; their output above may show why");
        }
        return Long.parseLong(reply.substring(0, reply.indexOf(' ')));
    }

    /** Ends the processes. */
    void stop() {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
    }

    @Override
    public void close() throws IOException {
        try {
            requests.close(); // its program ends at the end of its input
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                stop();
            }
        } catch (IOException e) {
            stop(); // it has already ended
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
