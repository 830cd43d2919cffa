// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.remus.await.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./remus service} and its load, with nodes that are killed, stopped and restarted. */
@Tag("processes")
@Tag("any-jdk")
@Timeout(600)
class ServiceProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private static final Pattern SERVES = Pattern.compile("node 1 serves http://([^:]*):(\\d+)");

    private static final int MOST_CONNECTIONS = 1024;

    @TempDir
    private Path folder;

    private Path shm;

    @BeforeEach
    void makeFolder() throws IOException {
        shm = Files.createDirectory(folder.resolve("shm"));
    }

    static void assertNothingIsLeft(Path shm) throws IOException {
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
    void aConnectionBeyondTheLimitOfANodeIsClosedAndTheOthersAreServed() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try (Started service =
                Started.of(shm, "service", "--last-cn-id=1", "--http-port=0").withTimeout(PATIENCE)) {
            service.awaitOut("node 1 serves");
            Matcher serves = SERVES.matcher(service.out());
            assertThat(serves.find()).as(service.out()).isTrue();
            InetSocketAddress node = new InetSocketAddress(serves.group(1), Integer.parseInt(serves.group(2)));
            while (sockets.size() < MOST_CONNECTIONS) {
                sockets.add(connect(node));
            }
            Socket last = sockets.get(MOST_CONNECTIONS - 1);
            last.getOutputStream().write("GET /health HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(last.getInputStream().readNBytes(15), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 200 OK");
            Await.until("a further connection is closed", PATIENCE, () -> {
                sockets.add(connect(node));
                return isClosed(sockets.get(sockets.size() - 1));
            });
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    private static Socket connect(InetSocketAddress node) {
        try {
            return new Socket(node.getAddress(), node.getPort());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether a node closes a connection within a second, on which nothing has been sent. */
    private static boolean isClosed(Socket socket) {
        try {
            socket.setSoTimeout(1000);
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
}
