// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.check.DeterministicSpecification;
import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.memory.RdmaPtr;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FindingFileTest {
    @TempDir
    private Path folder;

    private static final class Counter implements DeterministicSpecification<Long, String, Long> {
        @Override
        public Long initial() {
            return 0L;
        }

        @Override
        public Step<Long, Long> step(Long count, String increment) {
            return new Step<>(count + 1, count);
        }
    }

    private static final class Shared extends RemoteRecord {
        @SuppressWarnings("unused") // so that the count is not the first field
        final RemoteLong other = longField();

        final RemoteLong count = longField();
    }

    /** Threads increment a counter that they read and write, so some counts are lost. */
    private static void increment(Schedule schedule) throws Exception {
        Recorder<String, Long> recorder = new Recorder<>();
        new SimulatedCluster(2, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        Shared shared = new Shared();
                        shared.allocate(ct);
                        shared.count.store(0, ct);
                        ct.root().set(new RdmaPtr<>(shared.pointer()));
                    }
                })
                .run(ct -> {
                    Shared shared = new Shared();
                    shared.at(ct.root().get());
                    for (int i = 0; i < 4; i++) {
                        recorder.record(ct.id(), "increment", () -> {
                            long count = shared.count.load(ct);
                            shared.count.store(count + 1, ct);
                            return count;
                        });
                    }
                });
        new LinearizabilityChecker<>(new Counter()).judge(recorder.history());
    }

    private FindingFile.Written write(Path into, Scenario scenario, Finding finding) {
        return FindingFile.write(into, "a counter/..", finding, "run it", scenario, Schedule.random(finding.seed()));
    }

    @Test
    void aFileHasAllOperationsEvenThoseThatMinimisationDropped() throws Exception {
        Finding finding = Finding.first(FindingFileTest::increment, Schedule::random, 0, 1_000)
                .orElseThrow();
        Path file = folder.resolve("below").resolve("a-counter--" + finding.seed() + ".txt");
        FindingFile.Written written = write(folder.resolve("below"), FindingFileTest::increment, finding);
        assertThat(written.path()).contains(file);
        Path page = file.resolveSibling("a-counter--" + finding.seed() + ".html");
        assertThat(written.page()).contains(page);
        assertThat(written.sentence()).isEqualTo("all operations and steps: " + file + "\nto watch them, open " + page);
        assertThat(page).content(UTF_8).startsWith("<!doctype html>").contains("run it");

        String text = Files.readString(file);
        assertThat(text)
                .startsWith("Replay: run it\n")
                .contains(finding.describe())
                .containsPattern("\n    thread 1 calls increment\n")
                .containsPattern(
                        "WRITE of 1 word at .*: 0x1 \\(FindingFileTest.Shared.count, FindingFileTest.java:\\d+\\)")
                .containsPattern("node \\d segment 0 offset 0x\\w+: 0x0 becomes 0x1\n")
                .doesNotContain("depends on something besides");
        assertThat(text.lines().filter(line -> line.matches("step \\d+: thread \\d calls increment")))
                .hasSize(8);
        assertThat(text.lines().filter(line -> line.matches("step \\d+: thread \\d returns from increment: \\d")))
                .hasSize(8);
    }

    @Test
    void anOperationThatThrowsFailsWithTheFirstLineOfItsException() {
        Scenario scenario = schedule -> {
            Recorder<String, Long> recorder = new Recorder<>();
            new SimulatedCluster(2, schedule)
                    .run(ct -> recorder.record(ct.id(), "divide", () -> {
                        if (ct.id() == 1) {
                            throw new ArithmeticException("by zero\nnot by one");
                        }
                        return 1L;
                    }));
        };
        Finding finding = Finding.in(scenario, Schedule.random(5)).orElseThrow();
        Path file = write(folder, scenario, finding).path().orElseThrow();
        assertThat(file)
                .content(UTF_8)
                .containsPattern("\nstep \\d+: thread 1 fails in divide with java.lang.ArithmeticException: by zero\n")
                .containsPattern("\n    thread 1 fails in divide with java.lang.ArithmeticException: by zero\n")
                .doesNotContain("thread 0 fails")
                .doesNotContain("thread 1 returns from divide");
    }

    @Test
    void aRunThatDoesNotFailAgainIsReported() throws Exception {
        Finding finding = new Finding(1, new AssertionError("by chance"));
        write(folder, schedule -> {}, finding);
        assertThat(folder.resolve("a-counter--1.txt"))
                .content(UTF_8)
                .contains("The run below did not fail: it depends on something besides its schedule.");
    }

    @Test
    void aFolderThatCannotBeMadeIsReported() throws Exception {
        Path occupied = Files.writeString(folder.resolve("occupied"), "a file");
        FindingFile.Written written = write(occupied, schedule -> {}, new Finding(1, new AssertionError("wrong")));
        assertThat(written.path()).isEmpty();
        assertThat(written.sentence())
                .startsWith("the file with all operations and steps could not be written: ")
                .contains("occupied");
    }
}
