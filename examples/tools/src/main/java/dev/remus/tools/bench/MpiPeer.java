// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * The Open MPI peer: two processes started by {@code mpirun}. On request, the first does one-sided operations on the
 * memory of the second, over the shared-memory component ({@code osc sm}).
 */
final class MpiPeer implements AutoCloseable {
    private static final String SOURCE = "mpi-rma.c";
    private static final int END_SECONDS = 10;

    private final MpiProgram program;
    private final Process process;
    private final BufferedWriter requests;
    private final BufferedReader replies;

    private MpiPeer(MpiProgram program, Process process) {
        this.program = program;
        this.process = process;
        this.requests = process.outputWriter(StandardCharsets.UTF_8);
        this.replies = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * Compiles and starts the peer.
     *
     * @throws IOException if it cannot be compiled or started; the message has the reason
     */
    static MpiPeer start() throws IOException {
        MpiProgram program = MpiProgram.compile(SOURCE);
        try {
            return new MpiPeer(program, program.start(2).start());
        } catch (IOException e) {
            program.close();
            throw e;
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
            program.close();
        }
    }
}
