package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
