// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.queues;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The process of the same algorithm in C, which a C compiler on this machine makes. */
final class RingInC implements Closeable {
    private static final String SOURCE = "ring.c";
    private static final int COMPILE_SECONDS = 60;

    private final Path folder;
    private final Process process;
    private final Writer requests;
    private final BufferedReader replies;

    private RingInC(Path folder, Process process) {
        this.folder = folder;
        this.process = process;
        this.requests = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        this.replies = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Whether there is a C compiler. */
    static boolean canBeCompiled() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "cc")));
    }

    /**
     * Compiles and starts the program.
     *
     * @throws IOException if it cannot be compiled or started; the message has the reason
     */
    static RingInC start() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("remus-ring-");
        try {
            Path source = folder.resolve(SOURCE);
            try (InputStream resource = RingInC.class.getResourceAsStream(SOURCE)) {
                Files.copy(resource, source);
            }
            Path program = folder.resolve("ring");
            Path log = folder.resolve("cc.log");
            Process compiler = new ProcessBuilder(
                            List.of("cc", "-O2", "-std=gnu11", "-o", program.toString(), source.toString()))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            try {
                if (!compiler.waitFor(COMPILE_SECONDS, TimeUnit.SECONDS) || compiler.exitValue() != 0) {
                    throw new IOException("cc cannot compile the queue: " + Files.readString(log));
                }
            } finally {
                compiler.destroyForcibly();
            }
            return new RingInC(
                    folder,
                    new ProcessBuilder(List.of(program.toString()))
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start());
        } catch (IOException | InterruptedException e) {
            remove(folder);
            throw e;
        }
    }

    /** Enqueues and dequeues {@code repetitions} items; returns the processor time in nanoseconds. */
    long run(long repetitions) throws IOException {
        requests.write(repetitions + "\n");
        requests.flush();
        String reply = replies.readLine();
        if (reply == null) {
            throw new IOException("the queue in C has ended, with status "
                    + (process.isAlive() ? "unknown" : String.valueOf(process.exitValue())));
        }
        return Long.parseLong(reply);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        remove(folder);
    }

    private static void remove(Path folder) {
        try {
            for (String file : List.of(SOURCE, "ring", "cc.log")) {
                Files.deleteIfExists(folder.resolve(file));
            }
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            folder.toFile().deleteOnExit(); // it is a temporary folder
        }
    }
}
