// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.lock.Acquisition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --on-node-loss continue}: the others finish their operations, pass barriers and take over locks. */
@Tag("processes")
@Tag("any-jdk")
@Timeout(400)
class OnNodeLossContinueTest {
    /** A line of progress at which most of the run is still to come. */
    private static final Pattern UNDER_WAY = Pattern.compile("run: .* \\([1-5]?[0-9] %\\)");

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int LONGEST_RUN_SECONDS = 20;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"4, 2, 0", "1, 1, 1", "0, 1, 1"})
    void whenANodeIsKilledTheOthersContinueAndTheLossOfAComputeNodeIsNoFailure(int victim, int usableBlocks, int status)
            throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        try (Started run = Started.of(
                shm,
                ContinueProgram.class,
                "--on-node-loss=continue",
                "--first-mn-id=0",
                "--last-mn-id=1",
                "--first-cn-id=2",
                "--last-cn-id=4",
                "--cn-threads=1")) {
            for (int node = 2; node <= 4; node++) {
                run.awaitOut("node " + node + " | " + ContinueProgram.MET);
            }
            ProcessHandle last = run.node(4);
            run.node(victim).destroyForcibly();
            for (int node = 2; node <= 3; node++) {
                run.awaitOut("node " + node + " | " + ContinueProgram.CONTINUED + " with " + usableBlocks + " blocks");
            }
            last.destroyForcibly(); // it would run forever
            assertThat(run.await()).as(run.err()).isEqualTo(status);
            String tolerated = "node [01] \\| remus: (Compute|Memory) Node [" + victim
                    + "4] is lost: its process has ended;" + " the others finished \\(--on-node-loss continue\\)";
            assertThat(run.err().lines())
                    .allMatch(line -> line.matches("remus: node [" + victim + "4] was killed.*|" + tolerated))
                    .as("each Memory Node that is left reports who was lost")
                    .filteredOn(line -> line.matches(tolerated))
                    .hasSizeGreaterThanOrEqualTo(victim == 4 ? 2 : 1);
        }
        assertNothingIsLeft(shm);
    }

    @Test
    void whenTheHolderOfALockIsKilledTheWaitersGetItInTurnAndTheFirstLearnsOfTheDeath() throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        try (Started run = Started.of(
                shm,
                LockHolderProgram.class,
                "--on-node-loss=continue",
                "--first-mn-id=0",
                "--last-mn-id=0",
                "--first-cn-id=1",
                "--last-cn-id=3",
                "--cn-threads=1",
                "--seg-size=26")) {
            run.awaitOut("node 1 | " + LockHolderProgram.HOLDS);
            for (int node = 2; node <= 3; node++) {
                run.awaitOut("node " + node + " | " + LockHolderProgram.WAITS);
            }
            run.node(1).destroyForcibly();
            assertThat(run.await()).as(run.err()).isZero();
            assertThat(run.out().lines().filter(line -> line.contains(LockHolderProgram.GOT)))
                    .hasSize(2)
                    .anyMatch(line -> line.endsWith(Acquisition.HOLDER_DIED.toString()))
                    .anyMatch(line -> line.endsWith(Acquisition.NORMAL.toString()));
        }
        assertNothingIsLeft(shm);
    }

    /**
     * Compute Nodes 1 to 3, with two threads each, in the middle of their run. Node 1 leads, and is the only consumer
     * of a buffered queue. The first line that shows this comes after two seconds. A run that ends before it can be
     * seen, on a busy machine, is repeated for twice as long.
     */
    private Started experiment(Path shm, String program) throws IOException {
        for (int seconds = 5; ; seconds *= 2) {
            List<String> words = new ArrayList<>(List.of(program.split(" ")));
            words.addAll(
                    List.of("--run-time=" + seconds, "--on-node-loss=continue", "--last-cn-id=3", "--out=" + folder));
            Started run = Started.of(shm, words.toArray(String[]::new)).withTimeout(PATIENCE.plusSeconds(seconds));
            if (run.awaitErrOrEnd(UNDER_WAY) || seconds > LONGEST_RUN_SECONDS) {
                return run;
            }
            run.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "intset --key-ub 255, 2",
        "intset --set lazy --key-ub 255 --reclaim barrier, 1",
        "queue --queue nd, 1 3",
        "queue --queue buffered, 3",
        "queue --queue buffered-relaxed --workload producer-consumer --loss-timeout 1, 1",
        "kv --workload a, 1 2",
        "kv --read 50 --update 40 --remove 10, 3",
        "kv --map tree --update 40 --remove 10 --scan 10, 2"
    })
    void anExperimentFinishesWithoutKilledNodesPrintsItsFiguresAndBalancesUpToWhatWasInFlight(
            String program, String victims) throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        try (Started run = experiment(shm, program)) {
            for (String victim : victims.split(" ")) {
                run.node(Integer.parseInt(victim)).destroyForcibly();
            }
            assertThat(run.await()).as(run.out() + run.err()).isZero();
            int lost = victims.split(" ").length;
            String nodes = (lost == 1 ? "Compute Node " : "Compute Nodes ") + victims.replace(" ", ", ");
            assertThat(run.out())
                    .contains("6 on 3 Compute Nodes, of which " + 2 * lost + " were lost with " + nodes)
                    .contains("throughput ")
                    .contains("results: ")
                    .containsPattern("books: .*, at most " + 2 * lost + " in flight of lost threads, .*: balanced");
            for (String victim : victims.split(" ")) {
                assertThat(run.err())
                        .contains("Compute Node " + victim + " is lost: its process has ended; the others finished")
                        .contains("remus: node " + victim + " was killed by signal 9; the others finished");
            }
        }
        assertNothingIsLeft(shm);
    }

    @ParameterizedTest
    @ValueSource(strings = {"intset --key-ub 255", "queue --queue nd", "kv --workload a"})
    void aKilledMemoryNodeEndsAnExperimentByName(String program) throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        try (Started run = experiment(shm, program)) {
            run.node(0).destroyForcibly();
            assertThat(run.await()).isEqualTo(1);
            for (int node = 1; node <= 3; node++) {
                assertThat(run.err())
                        .contains("node " + node + " | remus: Memory Node 0 is lost: its process has ended");
            }
            assertThat(run.err())
                    .contains("remus: node 0 was killed by signal 9")
                    .doesNotContain("finished");
            assertThat(run.out()).doesNotContain("books: ");
        }
        assertNothingIsLeft(shm);
    }

    private static void assertNothingIsLeft(Path shm) throws IOException {
        try (Stream<Path> files = Files.walk(shm)) {
            assertThat(files.filter(Files::isRegularFile)).allMatch(file -> file.endsWith(".lock"));
        }
    }
}
