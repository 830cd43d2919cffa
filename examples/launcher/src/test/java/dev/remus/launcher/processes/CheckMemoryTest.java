// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** How much memory a search takes, inside and outside the Java heap. */
@Tag("processes")
@EnabledOnOs(OS.LINUX)
@Timeout(400)
class CheckMemoryTest {
    private static final String SCHEDULES = "1000";

    /** A search takes about 95 MiB, and took twice as much when each schedule left 100 KiB behind. */
    private static final long MOST_KIB = 170 << 10;

    @Test
    void theMemoryOfASearchDoesNotGrowWithItsSchedules(@TempDir Path folder) throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        try (Started check = Started.of(
                shm, "check", "barrier", "--seeds", SCHEDULES, "--first-seed", "1", "--jobs", "1", "--faults", "all")) {
            long most = 0;
            while (check.isAlive()) {
                most = Math.max(most, peakKib(check.pid()));
                Thread.sleep(20);
            }
            assertThat(check.await()).as("%s", check).isZero();
            assertThat(most).as("KiB").isPositive().isLessThan(MOST_KIB);
        }
    }

    /** The most memory that a process has had resident so far; 0 if it has ended. */
    private static long peakKib(long pid) throws IOException {
        Path status = Path.of("/proc/" + pid + "/status");
        try {
            return Files.readAllLines(status).stream()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            if (Files.exists(status)) {
                throw e;
            }
            return 0;
        }
    }
}
