package dev.remus.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CheckCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return Main.run(
                args,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    @Test
    void theLazyListIsCleanInAFewSchedulesOfEachKind() {
        assertThat(run("check", "lazylist", "--seeds", "20", "--first-seed", "100"))
                .isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("20 schedules clean")
                .contains("seeds 100 to 119");
        assertThat(run("check", "lazylist", "--seeds", "20", "--scheduler", "pct"))
                .isZero();
    }

    @Test
    void oneScheduleCanBeReplayed() {
        assertThat(run("check", "lazylist", "--replay", "7")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("1 schedules clean")
                .contains("seeds 7 to 7");
    }

    @Test
    void withoutAStructureOrWithAnOddNumberOfThreadsItSaysWhatItNeeds() {
        assertThat(run("check")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("lazylist");
        assertThat(run("check", "lazylist", "--threads", "3")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--threads").contains("even");
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    }
}
