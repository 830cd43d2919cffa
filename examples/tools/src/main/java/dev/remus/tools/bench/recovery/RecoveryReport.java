// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.recovery;

import dev.remus.config.ClusterConfig;
import dev.remus.tools.bench.suite.OtherLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * The results as a table, and as {@code recovery.csv} with a line for each death.
 *
 * @param recoveries the measurements
 * @param target how long a wait may last
 * @param otherLoad the share of the processors that other processes used meanwhile
 */
record RecoveryReport(List<Recovery> recoveries, Duration target, double otherLoad) {
    private static final Duration TO_WORK_AGAIN = Duration.ofSeconds(3);
    private static final String LINE = "%-14s  %7s  %19s  %17s%n";

    /** The target: on shared memory, the end of a process is seen at once; elsewhere its silence is. */
    static Duration target(ClusterConfig config) {
        return config.fabric().equals("shm") ? TO_WORK_AGAIN : TO_WORK_AGAIN.plus(config.lossTimeout());
    }

    String toText() {
        StringBuilder text =
                new StringBuilder("Waits for a lock whose holder was killed; " + OtherLoad.describe(otherLoad) + "\n");
        text.append(String.format(LINE, "killed", "waiters", "first has it after", "all have had it"));
        for (Recovery recovery : recoveries) {
            text.append(String.format(
                    LINE,
                    "Compute Node " + recovery.node(),
                    recovery.waiters(),
                    millis(recovery.firstNanos()) + " ms",
                    millis(recovery.lastNanos()) + " ms"));
        }
        long longest = recoveries.stream().mapToLong(Recovery::lastNanos).max().orElseThrow();
        return text.append(String.format(
                        Locale.ROOT,
                        "longest: %s ms, target <= %,d ms  %s%n",
                        millis(longest),
                        target.toMillis(),
                        OtherLoad.verdict(longest <= target.toNanos(), otherLoad)))
                .toString();
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%,.0f", nanos / 1e6);
    }

    void writeTo(Path folder) throws IOException {
        StringBuilder csv = new StringBuilder("node,waiters,first_ms,last_ms\n");
        for (Recovery recovery : recoveries) {
            csv.append(String.format(
                    Locale.ROOT,
                    "%d,%d,%.3f,%.3f%n",
                    recovery.node(),
                    recovery.waiters(),
                    recovery.firstNanos() / 1e6,
                    recovery.lastNanos() / 1e6));
        }
        Files.writeString(folder.resolve("recovery.csv"), csv);
        Files.writeString(folder.resolve("recovery.txt"), toText());
    }
}
