// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** The published lock-free queue over the one-sided operations of Open MPI, between processes that share memory. */
final class MpiQueue implements AutoCloseable {
    private static final String SOURCE = "mpi-queue.c";
    private static final long PATIENCE_MILLIS = 120_000;

    private final MpiProgram program;

    private MpiQueue(MpiProgram program) {
        this.program = program;
    }

    /**
     * Compiles it.
     *
     * @throws IOException if it cannot be compiled; the message has the reason
     */
    static MpiQueue compile() throws IOException {
        return new MpiQueue(MpiProgram.compile(SOURCE));
    }

    /**
     * Repeats a race as {@link LockFreeRace#repeat} does. Round trips are not counted.
     *
     * @throws IOException if a process fails, or does not end; also if items were lost
     */
    LockFreeRace.Result repeat(int processes, int operations, long millis) throws IOException, InterruptedException {
        Process process = program.start(processes, Integer.toString(operations), Long.toString(millis))
                .start();
        try {
            if (!process.waitFor(millis + PATIENCE_MILLIS, TimeUnit.MILLISECONDS) || process.exitValue() != 0) {
                throw new IOException("the queue over MPI has failed; its output above may show why");
            }
            String[] words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .strip()
                    .split(" ");
            return new LockFreeRace.Result(Long.parseLong(words[0]), Long.parseLong(words[1]), 0);
        } finally {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
        }
    }

    @Override
    public void close() throws IOException {
        program.close();
    }
}
