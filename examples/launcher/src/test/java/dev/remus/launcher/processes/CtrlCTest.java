// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.tools.harness.HeldSet;
import dev.remus.tools.torture.TortureSet;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ctrl-C ends a cluster at every moment of its life, also during a measurement, and leaves no files. */
@Tag("processes")
@Timeout(400)
class CtrlCTest {
    @TempDir
    private Path folder;

    private Started start(int operations, int keys) throws Exception {
        return start(operations, keys, TortureSet.class);
    }

    private Started start(int operations, int keys, Class<?> set) throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        return Started.of(
                shm,
                "intset",
                "--cn-threads=1",
                "--num-ops=" + operations,
                "--key-ub=" + keys,
                "--prefill=100",
                "--seg-size=22",
                "--reclaim=barrier",
                "--reclaim-every=16",
                "--set=" + set.getName());
    }

    private void assertNothingIsLeft() throws Exception {
        try (Stream<Path> files = Files.walk(folder.resolve("shm"))) {
            assertThat(files.filter(Files::isRegularFile)).allMatch(file -> file.endsWith(".lock"));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 200, 500})
    void atTheStart(int millis) throws Exception {
        try (Started intset = start(1_000_000_000, 100)) {
            Thread.sleep(millis);
            assertThat(intset.endsByInterrupt()).as("%s", intset).isTrue();
        }
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @CsvSource({
        "create, 0, 1000000000, 100",
        "create, 200, 1000000000, 20000", // while the set is filled
        "create, 600, 1000000000, 100" // while it is used, with frequent barriers
    })
    void after(String moment, int millis, int operations, int keys) throws Exception {
        try (Started intset = start(operations, keys)) {
            intset.awaitOut("torture: " + moment);
            Thread.sleep(millis);
            assertEndsByInterrupt(intset);
        }
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(classes = {HeldSet.AtCheck.class, HeldSet.AtDestroy.class})
    void whileTheSetIsCheckedOrDestroyed(Class<?> set) throws Exception {
        try (Started intset = start(500, 100, set)) {
            intset.awaitOut(HeldSet.HELD);
            assertEndsByInterrupt(intset);
        }
        assertNothingIsLeft();
    }

    private static void assertEndsByInterrupt(Started intset) throws Exception {
        assertThat(intset.endsByInterrupt()).as("%s", intset).isTrue();
        intset.awaitNoChild();
        assertThat(intset.err()).doesNotContain("remus: ");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 30})
    void whenTheResultsAreWritten(int millis) throws Exception {
        try (Started intset = start(500, 100)) {
            intset.awaitOut("torture: metrics");
            Thread.sleep(millis);
            intset.signal("TERM");
            assertThat(intset.await()).as("%s", intset).isIn(0, 143);
            intset.awaitNoChild();
        }
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(strings = {"transfers --millis=60000 --sizes=8", "round-trips --samples=1 --millis=60000 --keys=64"})
    void whileAMeasurementRunsInItsProcess(String suite) throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        try (Started bench = Started.of(shm, ("bench " + suite).split(" "))) {
            awaitCompute(shm, bench);
            assertEndsByInterrupt(bench);
        }
        assertNothingIsLeft();
        assertThat(folder.resolve("results"))
                .satisfiesAnyOf(
                        results -> assertThat(results).isEmptyDirectory(),
                        results -> assertThat(suite)
                                .startsWith("round-trips")); // keeps the round trips counted before the races
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--json"})
    void aSearchThatIsStoppedPrintsWhatItHasDoneAndHowToGoOn(String json) throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        String command = ("check counter lock --seeds 1000000 --first-seed 7 --jobs 2 " + json).strip();
        try (Started check = Started.of(shm, command.split(" "))) {
            check.awaitErr(" of 1,000,000 ");
            assertEndsByInterrupt(check);
            if (json.isEmpty()) {
                Matcher printed = Pattern.compile(
                                "counter: ([0-9,]+) of 1,000,000 schedules clean in [0-9.]+ s, stopped;"
                                        + " to go on: --first-seed ([0-9]+) --seeds ([0-9]+)\nschedules: .*")
                        .matcher(check.out().strip());
                assertThat(printed.matches()).as(check.out()).isTrue();
                long done = Long.parseLong(printed.group(1).replace(",", ""));
                assertThat(Long.parseLong(printed.group(2))).isEqualTo(7 + done);
                assertThat(Long.parseLong(printed.group(3))).isEqualTo(1_000_000 - done);
            } else {
                assertThat(check.out().strip())
                        .startsWith("{")
                        .containsOnlyOnce("\"schedules\"")
                        .endsWith("  \"clean\" : true\n}");
            }
        }
    }

    private static void awaitCompute(Path shm, Started bench) throws Exception {
        for (int i = 0; i < 6_000 && bench.isAlive(); i++) {
            try (Stream<Path> files = Files.walk(shm)) {
                if (files.anyMatch(file -> file.getFileName().toString().startsWith("compute-"))) {
                    return;
                }
            } catch (UncheckedIOException e) {
                // a file has been removed
            }
            Thread.sleep(10);
        }
        throw new AssertionError("no measurement has begun; " + bench);
    }
}
