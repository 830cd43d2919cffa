// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The process of a server, with a temporary folder. Both end with this process, even if that is killed. */
public final class PeerServer {
    private static final long POLL_MILLIS = 10;
    private static final long END_SECONDS = 60;

    /** Ends the server when the input ends, and then removes the folder. Marks a server that ended by itself. */
    private static final String UNTIL_END_OF_INPUT = "trap '' INT HUP; trap : TERM; folder=$1; shift; exec 3<&0;"
            + " \"$@\" 3<&- & server=$!;"
            + " { cat <&3 >/dev/null; [ -e \"$folder/ended\" ] || kill $server; } &"
            + " while kill -0 $server 2>/dev/null; do wait $server; done;"
            + " : >\"$folder/ended\"; wait; rm -rf -- \"$folder\"";

    private final String name;
    private final Path folder;
    private final Process process;

    private PeerServer(String name, Path folder, Process process) {
        this.name = name;
        this.folder = folder;
        this.process = process;
    }

    /** Whether a server has started. */
    public interface Readiness {
        /** Whether it has. */
        boolean isReady() throws IOException;
    }

    /** Makes a folder for a server. */
    public static Path createFolder(String name) throws IOException {
        return Files.createTempDirectory("remus-" + name + "-");
    }

    /**
     * Starts a server, and waits until it is ready.
     *
     * @param folder of {@link #createFolder}
     * @throws IOException with what the server printed, if it ends or takes too long
     */
    public static PeerServer start(String name, Path folder, List<String> command, Readiness readiness, long mostMillis)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("sh", "-c", UNTIL_END_OF_INPUT, name, folder.toString()));
        words.addAll(command);
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(log(folder).toFile())
                .start();
        PeerServer server = new PeerServer(name, folder, process);
        try {
            for (long waited = 0; !readiness.isReady(); waited += POLL_MILLIS) {
                if (waited > mostMillis || !process.isAlive() || Files.exists(folder.resolve("ended"))) {
                    throw new IOException(name + " does not start: " + Files.readString(log(folder)));
                }
                Thread.sleep(POLL_MILLIS);
            }
            return server;
        } catch (IOException | InterruptedException e) {
            server.close();
            throw e;
        }
    }

    /** What a server prints. */
    public static Path log(Path folder) {
        return folder.resolve("log");
    }

    /** Its folder, which is removed when it ends. */
    public Path folder() {
        return folder;
    }

    /** Ends the server. */
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(name + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it ends by itself
        }
    }
}
