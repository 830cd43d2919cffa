// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code intset --baseline heap} as a process. */
@Tag("processes")
@Tag("any-jdk")
@Timeout(400)
class BaselineProcessTest {
    @TempDir
    private Path folder;

    @Test
    void theListOnTheHeapIsPrintedBelowTheClusters() throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        String[] args = {"intset", "--num-ops=500", "--key-ub=200", "--insert=30", "--remove=30", "--baseline=heap"};
        try (Started intset = Started.of(shm, args)) {
            assertThat(intset.await()).as(intset.err()).isZero();
            assertThat(intset.out())
                    .containsPattern("throughput +[0-9,]+ op/s\n  on the heap +[0-9,]+ op/s, [0-9.]+ times as many")
                    .containsPattern("get latency +p50 .*\n  on the heap +p50 ")
                    .contains("insert latency", "remove latency", " found: balanced");
        }
    }
}
