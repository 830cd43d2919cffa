// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static dev.remus.launcher.processes.ServiceProcessTest.assertNothingIsLeft;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.remus.await.Await;
import dev.remus.source.SourceTree;
import java.io.IOException;
import java.net.InetAddress;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code examples/service/one-machine}, which runs each node of the service as a process of its own. */
@Tag("processes")
@Tag("any-jdk")
@Timeout(900)
class ServiceScriptTest {
    private static final Duration PATIENCE = Duration.ofSeconds(240);

    @TempDir
    private Path folder;

    private Path shm;
    private Path remus;
    private int port;
    private int memoryPort;

    @BeforeEach
    void writeScript() throws IOException {
        shm = Files.createDirectory(folder.resolve("shm"));
        remus = Started.script(folder.resolve("remus"), shm);
        port = freePorts();
        memoryPort = freePort();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** The port before two free ones, which nodes 1 and 2 get. */
    private static int freePorts() throws IOException {
        while (true) {
            int first = freePort();
            try (ServerSocket second = new ServerSocket(first + 1, 1, InetAddress.getLoopbackAddress())) {
                return second.getLocalPort() - 2;
            } catch (IOException | IllegalArgumentException e) {
                continue; // another process has it, or there is no such port
            }
        }
    }

    private String url(int node) {
        return "http://127.0.0.1:" + (port + node);
    }

    @Test
    void theScriptStartsRestartsAndStopsNodesAndTheMapStays() throws Exception {
        try {
            assertThat(script("up")).contains("offers memory", "serves " + url(1), "serves " + url(2));
            URI key = URI.create(url(1) + "/keys/milk");
            send(HttpRequest.newBuilder(key).PUT(BodyPublishers.ofString("2 litres")));
            List<String> before = script("status").lines().toList();
            List<String> after = script("roll").lines().toList();
            assertThat(after).hasSize(2).doesNotContainAnyElementsOf(before);
            assertThat(script("status").lines()).contains(before.get(0)).containsAll(after);
            assertThat(send(HttpRequest.newBuilder(key))).isEqualTo("2 litres");
            for (int id : List.of(1, 2)) {
                assertThat(Files.readString(folder.resolve("state/node-" + id + ".log")))
                        .doesNotContain("remus:");
            }
        } finally {
            script("down");
        }
        assertThat(script("status")).contains("node 0  is down", "node 1  is down", "node 2  is down");
        assertNothingIsLeft(shm);
    }

    @Test
    void noRequestFailsWhileAllNodesAreRestartedUnderLoad() throws Exception {
        // Callers need time to notice that a node stops; on a busy machine that takes longer.
        Files.writeString(remus, Files.readString(remus).replace("\"$@\"", "\"$@\" --drain=5"));
        try {
            script("up");
            assumeTrue(isRolledUnderLoad(30) || isRolledUnderLoad(120), "this machine is too busy to restart nodes");
        } finally {
            script("down");
        }
        assertNothingIsLeft(shm);
    }

    /** Returns false if the load had ended before all nodes were restarted. */
    private boolean isRolledUnderLoad(int seconds) throws Exception {
        try (Started load = Started.of(
                        shm, "service-load", "--url=" + url(1) + "," + url(2), "--clients=4", "--run-time=" + seconds)
                .withTimeout(PATIENCE.plusSeconds(seconds))) {
            double earlier = requests();
            Await.until("load", PATIENCE, () -> requests() > earlier);
            script("roll");
            boolean isUnderLoad = load.isAlive();
            int status = load.await();
            assertThat(load.out()).as(load.toString()).containsPattern("0 wrong answers, 0 errors, .*: balanced");
            assertThat(status).isZero();
            return isUnderLoad;
        }
    }

    /** How many requests for keys node 1 has answered since its start. */
    private double requests() {
        try {
            return send(HttpRequest.newBuilder(URI.create(url(1) + "/metrics")))
                    .lines()
                    .filter(line -> line.startsWith("remus_service_requests_seconds_count"))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                    .sum();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** As after a restart of the machine, when ids are given again. */
    @Test
    void aForeignProcessWithTheIdOfANodeIsLeftAlone() throws Exception {
        Process foreign = new ProcessBuilder("sleep", "300").start();
        try {
            Path state = Files.createDirectory(folder.resolve("state"));
            for (int id : List.of(0, 1)) {
                Files.writeString(state.resolve("node-" + id + ".pid"), foreign.pid() + " 17\n");
            }
            assertThat(script("status")).contains("node 0  is down", "node 1  is down");
            script("down");
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

    private String script(String action) throws Exception {
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(
                        "sh",
                        SourceTree.ROOT.resolve("examples/service/one-machine").toString(),
                        action)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("SERVICE_REMUS", remus.toString());
        builder.environment().put("SERVICE_NODES", "2");
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
        for (int id = 0; id <= 2; id++) {
            Path log = folder.resolve("state/node-" + id + ".log");
            all.append(Files.exists(log) ? Files.readString(log) : "");
        }
        return all.toString();
    }
}
