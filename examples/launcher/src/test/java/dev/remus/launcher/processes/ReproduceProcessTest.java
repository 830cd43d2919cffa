// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.progress.ProgressView;
import dev.remus.launcher.Main;
import dev.remus.tools.queue.QueueCommand;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code reproduce lock-free-queue} with a process for each process of the paper. */
@Tag("processes")
@Tag("any-jdk")
@Timeout(400)
class ReproduceProcessTest {
    @TempDir
    private Path folder;

    @Test
    void eachQueueHasAMeasuredPointOnSharedMemory() throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        String[] args = {"reproduce", "lock-free-queue", "--fabric=shm", "--quick", "--processes=2"};
        try (Started run = Started.of(shm, args)) {
            assertThat(run.await()).as(run.err()).isZero();
            assertThat(run.out())
                    .contains("times are measured on shm")
                    .containsPattern("(?m)^nd-published +2 +20 +[0-9]+ ")
                    .containsPattern("(?m)^bd +2 +20 +[0-9]+ ")
                    .containsPattern("(?m)^bc +2 +20 +[0-9]+ ")
                    .containsPattern("(?m)^nd +2 +20 +[0-9]+ ");
        }
    }

    @Test
    void theProcessesOfAMeasuredPointReportTheirProgress() {
        List<String> shown = new CopyOnWriteArrayList<>();
        ProgressView view = new ProgressView() {
            @Override
            public void show(String phase, long done, long total) {
                throw new AssertionError("it is timed");
            }

            @Override
            public void showTime(String phase, long done, long millis, long ofMillis) {
                shown.add(phase + " of " + ofMillis);
            }

            @Override
            public void close() {}
        };
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        String[] args = {"--queue=nd", "--run-time=2", "--report=none", "--out=" + folder};
        assertThat(QueueCommand.runOnce(Main.class, out, out, view, args))
                .as(() -> printed.toString(StandardCharsets.UTF_8))
                .isZero();
        assertThat(shown).isNotEmpty().allMatch("run of 2000"::equals);
    }
}
