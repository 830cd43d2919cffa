package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.remus.source.SourceTree;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./remus service} and its load, with nodes that are killed, stopped and restarted. */
@Tag("processes")
@Timeout(600)
class ServiceProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    @TempDir
    private Path folder;

    private Path shm;

    private int memoryPort;

    @BeforeEach
    void makeFolder() throws IOException {
        shm = Files.createDirectory(folder.resolve("shm"));
    }

    private static void assertNothingIsLeft(Path shm) throws IOException {
        try (Stream<Path> files = Files.walk(shm)) {
            assertThat(files.filter(Files::isRegularFile)).allMatch(file -> file.endsWith(".lock"));
        }
    }

    @Test
    void noAnswerIsWrongAndNoRequestFailsWhileNodesAreKilledAndRestarted() throws Exception {
        assumeTrue(isPlayed(20) || isPlayed(60), "this machine is too busy to start nodes again");
    }

    /** Returns false if the time was too short to kill a node and to restart another. */
    private boolean isPlayed(int seconds) throws Exception {
        try (Started load = Started.of(shm, "service-load", "--run-time=" + seconds, "--kill-every=6")
                .withTimeout(PATIENCE.plusSeconds(seconds))) {
            int status = load.await();
            assertThat(load.out()).as(load.toString()).containsPattern("0 wrong answers, 0 errors, .*: balanced");
            assertThat(status).isZero();
            assertThat(load.out()).contains("node 1 was killed by signal 9, and is started again");
            assertNothingIsLeft(shm);
            return load.out().contains("node 2 ended with status 0, and is started again");
        }
    }

    @Test
    void aServiceAtAnEmulatedLatencyStatesThatOnce() throws Exception {
        try (Started service = Started.of(shm, "service", "--last-cn-id=1", "--http-port=0", "--latency=2")
                .withTimeout(PATIENCE)) {
            service.awaitOut("node 1 serves");
            assertThat(service.out()).containsOnlyOnce("The times of operations are emulated: 2 µs\n");
            service.signal("TERM");
            assertThat(service.await()).as(service.toString()).isZero();
        }
    }

    @Test
    void aServiceThatIsAskedToEndStopsItsNodesAndEndsWithStatusZero() throws Exception {
        try (Started service =
                Started.of(shm, "service", "--last-cn-id=2", "--http-port=0").withTimeout(PATIENCE)) {
            service.awaitOut("node 1 serves");
            service.awaitOut("node 2 serves");
            service.signal("TERM");
            assertThat(service.await()).as(service.toString()).isZero();
            service.awaitNoChild();
            assertThat(service.err()).isEmpty();
        }
        assertNothingIsLeft(shm);
    }

    @Test
    void theNodesOfAServiceThatIsKilledEndByThemselves() throws Exception {
        try (Started service =
                Started.of(shm, "service", "--last-cn-id=1", "--http-port=0").withTimeout(PATIENCE)) {
            service.awaitOut("node 1 serves");
            service.signal("KILL");
            service.await();
            service.awaitNoChild();
        }
        assertNothingIsLeft(shm);
    }

    @Test
    void theEndOfItsMemoryNodeEndsTheService() throws Exception {
        try (Started service =
                Started.of(shm, "service", "--last-cn-id=1", "--http-port=0").withTimeout(PATIENCE)) {
            service.awaitOut("node 1 serves");
            service.node(0).destroyForcibly();
            assertThat(service.await()).as(service.toString()).isEqualTo(1);
            service.awaitNoChild();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void theScriptStartsRestartsAndStopsNodesAndTheMapStays() throws Exception {
        Path remus = Started.script(folder.resolve("remus"), shm);
        int port = freePort() - 1; // of node 1 alone
        memoryPort = freePort();
        try {
            assertThat(script(remus, port, "up")).contains("offers memory", "serves http://127.0.0.1:" + (port + 1));
            URI key = URI.create("http://127.0.0.1:" + (port + 1) + "/keys/milk");
            send(HttpRequest.newBuilder(key).PUT(BodyPublishers.ofString("2 litres")));
            String before = script(remus, port, "status");
            String after = script(remus, port, "roll");
            assertThat(before).doesNotContain(after.strip());
            assertThat(send(HttpRequest.newBuilder(key))).isEqualTo("2 litres");
            assertThat(Files.readString(folder.resolve("state/node-1.log"))).doesNotContain("remus:");
        } finally {
            script(remus, port, "down");
        }
        assertThat(script(remus, port, "status")).contains("node 0  is down", "node 1  is down");
        assertNothingIsLeft(shm);
    }

    /** As after a restart of the machine, when ids are given again. */
    @Test
    void aForeignProcessWithTheIdOfANodeIsLeftAlone() throws Exception {
        Path remus = Started.script(folder.resolve("remus"), shm);
        Process foreign = new ProcessBuilder("sleep", "300").start();
        try {
            Path state = Files.createDirectory(folder.resolve("state"));
            for (int id : List.of(0, 1)) {
                Files.writeString(state.resolve("node-" + id + ".pid"), foreign.pid() + " 17\n");
            }
            assertThat(script(remus, 1, "status")).contains("node 0  is down", "node 1  is down");
            script(remus, 1, "down");
            assertThat(foreign.isAlive()).isTrue();
        } finally {
            foreign.destroy();
        }
    }

    private static String send(HttpRequest.Builder request) throws Exception {
        return HttpClient.newHttpClient()
                .send(request.build(), BodyHandlers.ofString())
                .body();
    }

    private String script(Path remus, int port, String action) throws Exception {
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(
                        "sh",
                        SourceTree.ROOT.resolve("examples/service/one-machine").toString(),
                        action)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("SERVICE_REMUS", remus.toString());
        builder.environment().put("SERVICE_NODES", "1");
        builder.environment().put("SERVICE_PORT", "" + port);
        builder.environment().put("SERVICE_MEMORY_PORT", "" + memoryPort);
        builder.environment().put("SERVICE_STATE", folder.resolve("state").toString());
        Process process = builder.start();
        assertThat(process.waitFor(PATIENCE.toSeconds() * 2, TimeUnit.SECONDS)).isTrue();
        String text = Files.readString(output);
        assertThat(process.exitValue()).as(text + logs()).isZero();
        return text;
    }

    private String logs() throws IOException {
        StringBuilder all = new StringBuilder();
        for (int id : List.of(0, 1)) {
            Path log = folder.resolve("state/node-" + id + ".log");
            all.append(Files.exists(log) ? Files.readString(log) : "");
        }
        return all.toString();
    }
}
