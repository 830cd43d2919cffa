// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.ci;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.source.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Time limits of tests only catch hangs: they are long enough for a busy machine. */
@Tag("any-jdk")
class TimeLimitsTest {
    private static final int MIN_SECONDS = 60;

    /** Limits of whole tests, of waits for processes, and of waits for other threads. */
    private static final List<Pattern> LIMITS = List.of(
            Pattern.compile("@Timeout\\((?:value = )?(\\d+)(?:, unit = TimeUnit\\.SECONDS)?\\)"),
            Pattern.compile("\\.(?:waitFor|get|poll|await)\\((\\d+), (?:TimeUnit\\.)?SECONDS\\)"));

    /** An immediate check of a process that takes a moment to end; {@code Await.end} waits for it. */
    private static final Pattern AT_ONCE = Pattern.compile("noneMatch\\(Process(?:Handle)?::isAlive\\)");

    private static List<String> violations(String name, String source) {
        List<String> found = new ArrayList<>();
        for (Pattern limit : LIMITS) {
            Matcher matcher = limit.matcher(source);
            while (matcher.find()) {
                if (Integer.parseInt(matcher.group(1)) < MIN_SECONDS) {
                    found.add(name + ": " + matcher.group());
                }
            }
        }
        Matcher matcher = AT_ONCE.matcher(source);
        while (matcher.find()) {
            found.add(name + ": " + matcher.group());
        }
        return found;
    }

    @Test
    void noTestHasALimitBelowAMinuteOrChecksOnlyOnceForTheEndOfProcesses() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : SourceTree.javaFiles("src/test")) {
            if (!file.endsWith("TimeLimitsTest.java") && !file.endsWith("Await.java")) {
                found.addAll(violations(SourceTree.ROOT.relativize(file).toString(), Files.readString(file)));
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void shortLimitsAndSingleChecksAreFound() {
        assertThat(violations(
                        "X", "@Timeout(30) class X { @Timeout(value = 59, unit = TimeUnit.SECONDS) void a() {} }"))
                .hasSize(2);
        assertThat(violations("X", "process.waitFor(20, TimeUnit.SECONDS); future.get(10, SECONDS);"))
                .hasSize(2);
        assertThat(violations("X", "assertThat(all).noneMatch(ProcessHandle::isAlive);"))
                .hasSize(1);
        assertThat(violations("X", "@Timeout(60) class X { void a() { future.get(250, TimeUnit.MILLISECONDS); } }"))
                .isEmpty();
    }
}
