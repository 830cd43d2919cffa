// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.locks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.fabric.CostModel;
import dev.remus.options.UsageException;
import dev.remus.tools.peer.RedisServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("any-jdk")
@Timeout(300)
class LocksSuiteTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return LocksSuite.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
    }

    private static Contest contest() throws Exception {
        return new Contest(20, CostModel.read("infiniband-fdr"), 1);
    }

    @ParameterizedTest
    @EnumSource
    void eachLockIsMeasuredWhileThreadsOfThisMachineCompeteForIt(LockSubject kind) throws Exception {
        assumeThat(kind != LockSubject.REDIS || RedisServer.isInstalled())
                .as("redis-server is installed")
                .isTrue();
        LocksFigures figures = contest().measure(new LocksPoint(false, kind, 3, Contest.LONG));
        assertThat(figures.perSecond()).isPositive();
        assertThat(figures.longestNanos()).isGreaterThanOrEqualTo(figures.meanNanos());
        if (kind.isRemote()) {
            assertThat(figures.roundTrips()).isPositive();
        }
    }

    @Test
    void aloneOnTheModelALockCostsTheRoundTripsOfItsClassComment() throws Exception {
        assertThat(modelled(LockSubject.QUEUELOCK, 1).roundTrips()).isEqualTo(3);
        assertThat(modelled(LockSubject.RWLOCK, 1).roundTrips()).isEqualTo(4);
    }

    @Test
    void manyReadersEnterMoreOftenThanAsManyWritersAndTheModelRepeatsItself() throws Exception {
        LocksFigures readers = modelled(LockSubject.RWLOCK_READ, 20);
        assertThat(readers.perSecond())
                .isGreaterThan(2 * modelled(LockSubject.RWLOCK, 20).perSecond());
        assertThat(modelled(LockSubject.RWLOCK_READ, 20))
                .as("the same seed again")
                .isEqualTo(readers);
    }

    private static LocksFigures modelled(LockSubject kind, int threads) throws Exception {
        return contest().measure(new LocksPoint(true, kind, threads, Contest.SHORT));
    }

    @Test
    void aRunPrintsARowForEachPointAndLeavesItsFiles(@TempDir Path folder) throws Exception {
        int status = run(
                "--locks=queuelock,reentrant",
                "--threads=1,2",
                "--model-threads=2",
                "--sections=short",
                "--millis=5",
                "--rounds=1",
                "--out=" + folder);
        assertThat(status).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(ExitStatus.OK);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .containsPattern("shm +short +queuelock +1 ")
                .containsPattern("shm +short +reentrant +2 ")
                .containsPattern("model +short +queuelock +2 ")
                .contains("results: " + folder);
        try (Stream<Path> runs = Files.list(folder)) {
            List<Path> run = runs.toList();
            assertThat(run).hasSize(1);
            assertThat(run.get(0).resolve("locks.csv"))
                    .content(UTF_8)
                    .startsWith("place,inside,lock,threads,round,acquisitions per second,")
                    .hasLineCount(6);
            assertThat(run.get(0).resolve("locks.txt")).isNotEmptyFile();
            assertThat(run.get(0).resolve("locks-shm-short.svg")).isNotEmptyFile();
            assertThat(run.get(0).resolve("locks-model-short.svg")).isNotEmptyFile();
            assertThat(run.get(0).resolve("provenance.json")).content(UTF_8).contains("locks");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--threads=257",
                "--threads=x",
                "--model-threads=10001",
                "--sections=middle",
                "--locks=spin",
                "--millis=0",
                "--hardware=none"
            })
    void valuesOutOfRangeAreRejected(String option) {
        assertThat(run(option)).isEqualTo(UsageException.EXIT_STATUS);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(option.substring(0, option.indexOf('=')));
    }

    @Test
    void itIsAnErrorIfNothingIsLeftToMeasure() {
        assertThat(run("--locks=reentrant", "--threads=0")).isEqualTo(UsageException.EXIT_STATUS);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("nothing is left to measure");
    }
}
