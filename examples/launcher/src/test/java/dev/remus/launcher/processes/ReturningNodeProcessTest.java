// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.remus.launcher.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code --returns}: a Compute Node whose process was killed is started again, and joins the others. */
@Tag("processes")
@Tag("any-jdk")
@Timeout(600)
class ReturningNodeProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int LONGEST_RUN_SECONDS = 216;
    private static final Pattern RUNS = Pattern.compile("run: ");

    @TempDir
    private Path folder;

    private Started experiment(Path shm, String program, int seconds) throws IOException {
        List<String> words = new ArrayList<>(List.of(program.split(" ")));
        words.addAll(List.of(
                "--run-time=" + seconds,
                "--on-node-loss=continue",
                "--returns=3",
                "--seg-size=24", // what a node that is killed has retired and not freed yet is lost
                "--last-cn-id=3",
                "--out=" + folder));
        return Started.of(shm, words.toArray(String[]::new)).withTimeout(PATIENCE.plusSeconds(seconds));
    }

    /** The command line of a node, without the JVM's part. */
    private static String[] words(ProcessHandle node) throws IOException {
        List<String> words = Started.words(node);
        return words.subList(words.indexOf(Main.class.getName()) + 1, words.size())
                .toArray(String[]::new);
    }

    /**
     * Node 1 leads, and has the only consumer of a buffered queue. The map's operations have a rate: until a killed
     * node is cut off, no node reuses what it retires, and at full speed half of the operations retire a block.
     */
    @ParameterizedTest
    @CsvSource({
        "intset --set lockfree --key-ub 255, 2, 2",
        "intset --set fast --key-ub 255, 2, 2",
        "queue --queue scalable --workload producer-consumer, 1, 1",
        "queue --queue buffered, 2, 1",
        "kv --workload a --rate 100000, 2, 1"
    })
    void itOperatesWithTheOthersUntilTheEndAndTheBooksBalance(String program, int victim, int kills) throws Exception {
        boolean isPlayed = false;
        for (int seconds = 8; !isPlayed && seconds <= LONGEST_RUN_SECONDS; seconds *= 3) {
            isPlayed = comesBack(program, victim, kills, seconds);
        }
        assumeTrue(isPlayed, "this machine is too busy to start a node again in time");
    }

    /** Returns false if more than half of the run was over when all was killed: the machine is too busy for it. */
    private boolean comesBack(String program, int victim, int kills, int seconds) throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm-" + seconds));
        try (Started run = experiment(shm, program, seconds)) {
            if (!run.awaitErrOrEnd(RUNS)) {
                return false;
            }
            long begin = System.nanoTime();
            ProcessHandle first = run.node(victim);
            String[] words = words(first);
            first.destroyForcibly();
            first.onExit().join();
            for (int kill = 2; kill <= kills; kill++) {
                try (Started again = Started.of(shm, words)) {
                    if (!again.awaitErrOrEnd(RUNS)) {
                        return false;
                    }
                    again.signal("KILL");
                    assertThat(again.await()).isEqualTo(137);
                }
            }
            if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(seconds) / 2) {
                return false;
            }
            try (Started last = Started.of(shm, words).withTimeout(PATIENCE.plusSeconds(seconds))) {
                int status = last.await();
                if (status == 1 && last.err().contains("its run is over") && run.await() == 0) {
                    return false; // it had not even found the others when they ended
                }
                assertThat(status).as(last.toString()).isZero();
            }
            assertThat(run.await()).as(run.out() + run.err()).isZero();
            assertThat(run.out())
                    .contains("6 on 3 Compute Nodes, of which " + 2 * kills + " were lost with Compute Node " + victim)
                    .containsPattern("books: .*, at most " + 2 * kills + " in flight of lost threads, .*: balanced");
            assertThat(run.err())
                    .contains("Compute Node " + victim + " is lost: its process has ended; the others finished");
        }
        assertNothingIsLeft(shm);
        return true;
    }

    @ParameterizedTest
    @CsvSource({
        "queue --reclaim barrier, 0 with --reclaim barrier",
        "queue --warm-up 1, 0 with --warm-up",
        "kv --reclaim barrier, 0 with --reclaim barrier",
        "kv --warm-up 1, 0 with --warm-up"
    })
    void optionsUnderWhichItCouldNotJoinInTheMiddleAreRejected(String program, String needed) throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        try (Started run = experiment(shm, program, 15)) {
            assertThat(run.await()).isEqualTo(2);
            assertThat(run.err()).contains("--returns: got '3', needs " + needed);
        }
    }

    private static void assertNothingIsLeft(Path shm) throws IOException {
        try (Stream<Path> files = Files.walk(shm)) {
            assertThat(files.filter(Files::isRegularFile)).allMatch(file -> file.endsWith(".lock"));
        }
    }
}
