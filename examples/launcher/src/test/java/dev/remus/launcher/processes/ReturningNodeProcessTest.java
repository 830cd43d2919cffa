package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.launcher.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --returns}: a Compute Node whose process was killed is started again, and joins the others. */
@Tag("processes")
@Timeout(240)
class ReturningNodeProcessTest {
    @TempDir
    private Path folder;

    private Started experiment(Path shm, String set) throws IOException {
        return Started.of(
                shm,
                "intset",
                "--set=" + set,
                "--key-ub=255",
                "--run-time=15",
                "--on-node-loss=continue",
                "--returns=3",
                "--seg-size=24", // what a node that is killed has retired and not freed yet is lost
                "--last-cn-id=3",
                "--out=" + folder);
    }

    /** The command line of a node, without the JVM's part. */
    private static String[] words(ProcessHandle node) throws IOException {
        List<String> words = List.of(
                Files.readString(Path.of("/proc/" + node.pid() + "/cmdline")).split("\0"));
        return words.subList(words.indexOf(Main.class.getName()) + 1, words.size())
                .toArray(String[]::new);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lockfree", "fast"})
    void itOperatesWithTheOthersUntilTheEndAndTheBooksBalance(String set) throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        try (Started run = experiment(shm, set)) {
            run.awaitErr("run: "); // in the middle of it
            ProcessHandle victim = run.node(2);
            String[] words = words(victim);
            victim.destroyForcibly();
            victim.onExit().join();
            try (Started second = Started.of(shm, words)) {
                second.awaitErr("run: ");
                second.signal("KILL");
                assertThat(second.await()).isEqualTo(137);
            }
            try (Started third = Started.of(shm, words)) {
                assertThat(third.await()).as(third.toString()).isZero();
            }
            assertThat(run.await()).as(run.out() + run.err()).isZero();
            assertThat(run.out())
                    .contains("6 on 3 Compute Nodes, of which 4 were lost with Compute Node 2")
                    .containsPattern("books: .*, at most 4 in flight of lost threads, .*: balanced");
            assertThat(run.err()).contains("Compute Node 2 is lost: its process has ended; the others finished");
        }
        assertNothingIsLeft(shm);
    }

    @Test
    void aProgramWhoseThreadsAllBeginTogetherRefusesTheOption() throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        try (Started run = Started.of(shm, "queue", "--on-node-loss=continue", "--returns=1")) {
            assertThat(run.await()).isEqualTo(2);
            assertThat(run.err()).contains("--returns: got '1', needs 0");
        }
    }

    private static void assertNothingIsLeft(Path shm) throws IOException {
        try (Stream<Path> files = Files.walk(shm)) {
            assertThat(files.filter(Files::isRegularFile)).allMatch(file -> file.endsWith(".lock"));
        }
    }
}
