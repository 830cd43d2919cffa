// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.tools.JsonText;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("any-jdk")
class CheckCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return Main.run(
                args,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String errors() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void everyScenarioIsCleanInAFewSchedulesOfEachKind() {
        assertThat(run("check", "--all", "--seeds", "8", "--first-seed", "100")).isZero();
        List<String> lines = printed().lines().toList();
        assertThat(lines.subList(0, lines.size() - 1))
                .isNotEmpty()
                .allMatch(line -> line.matches("[a-z-]+: 8 schedules clean in .* s, seeds 100 to 107"));
        assertThat(lines.get(lines.size() - 1)).matches("schedules: .* % pos, .*; faults: .* % broken-lanes.*");
        assertThat(run("check", "--all", "--seeds", "5", "--first-seed", "100", "--scheduler", "pct"))
                .isZero();
    }

    @Test
    void oneScheduleCanBeReplayedWithItsSteps() {
        assertThat(run("check", "lazylist", "--replay", "7")).isZero();
        assertThat(printed()).contains("lazylist: seed 7 is clean").hasLineCount(1);
        assertThat(run("check", "lazylist", "--replay", "7", "--trace")).isZero();
        assertThat(printed()).contains("remus-2-0").contains("lane 0 from");
    }

    @Test
    void anExhaustiveSearchReportsWhatItHasLeftOut() {
        String[] small = {
            "check", "lazylist", "--threads", "2", "--ops", "1", "--keys", "1", "--scheduler", "exhaustive"
        };
        assertThat(run(with(small, "--preemptions", "0", "--weaknesses", "none")))
                .isZero();
        assertThat(printed())
                .matches("lazylist: [0-9,]+ schedules clean in .* s, not complete: no more preemptions.*\n");
        out.reset();
        assertThat(run(with(small, "--seeds", "5"))).isZero();
        assertThat(printed())
                .matches("lazylist: 5 schedules clean in .* s, not complete: only the first 5 schedules.*\n");
    }

    @Test
    void anExhaustiveSearchOfTwoOperationsOfTheLockFreeQueueIsComplete() {
        assertThat(run(
                        "check",
                        "nd",
                        "--threads",
                        "2",
                        "--ops",
                        "1",
                        "--keys",
                        "1",
                        "--scheduler",
                        "exhaustive",
                        "--weaknesses",
                        "none"))
                .isZero();
        assertThat(printed()).matches("nd: [0-9,]+ schedules clean in .* s, complete\n");
    }

    private static String[] with(String[] some, String... more) {
        return Stream.concat(Stream.of(some), Stream.of(more)).toArray(String[]::new);
    }

    @Test
    void contradictoryArgumentsAreExplained() {
        assertThat(run("check")).isEqualTo(2);
        assertThat(errors()).contains("--all").contains("lazylist, ");
        assertThat(run("check", "lazylits")).isEqualTo(2);
        assertThat(errors()).contains("there is no scenario 'lazylits'");
        assertThat(run("check", "lazylist", "--threads", "3")).isEqualTo(2);
        assertThat(errors()).contains("--threads").contains("even");
        assertThat(run("check", "epochs-offline", "--threads", "2")).isEqualTo(2);
        assertThat(errors()).contains("epochs-offline: threads 2").contains("at least four");
        assertThat(run("check", "--all", "--replay", "3")).isEqualTo(2);
        assertThat(errors()).contains("one scenario");
        assertThat(run("check", "barrier", "--trace")).isEqualTo(2);
        assertThat(errors()).contains("--trace needs --replay");
        assertThat(run("check", "barrier", "--html", "x.html")).isEqualTo(2);
        assertThat(errors()).contains("--html needs --replay");
        assertThat(run("check", "--mutants", "--html", "x.html")).isEqualTo(2);
        assertThat(errors()).contains("--html needs --replay");
        assertThat(run("check", "barrier", "--replay", "3", "--html", "no-such-folder/x.html"))
                .isEqualTo(2);
        assertThat(errors()).contains("--html no-such-folder/x.html: there is no folder ");
        assertThat(run("check", "barrier", "--replay", "3", "--html", "src")).isEqualTo(2);
        assertThat(errors()).contains("--html src: is a folder");
        assertThat(run("check", "barrier", "--faults", "stop,s")).isEqualTo(2);
        assertThat(errors()).contains("'s' may be stopped-threads or slow-nodes");
        assertThat(printed()).isEmpty();
    }

    @Test
    void aPlantedMistakeIsFoundInTheScenarioThatIsNamed() throws Exception {
        String mutant = "LazyListSet.insert:validate-1:falls";
        assertThat(run("check", "--mutants", mutant, "lazylist-short", "--schedules", "200"))
                .as(printed() + errors())
                .isZero();
        assertThat(printed())
                .containsPattern(mutant + " +found +history +lazylist-short ")
                .contains("1 mutants: ");
    }

    @Test
    void resultsAreAlsoPrintedAsJson() throws Exception {
        assertThat(run("check", "barrier", "lazylist", "--seeds", "20", "--first-seed", "100", "--json"))
                .isZero();
        JsonText json = new JsonText(printed());
        assertThat(json.at("/clean")).isEqualTo("true");
        assertThat(json.at("/scenarios/0/name")).isEqualTo("barrier");
        assertThat(json.at("/scenarios/1/name")).isEqualTo("lazylist");
        assertThat(json.at("/scenarios/1/schedules")).isEqualTo("20");
        assertThat(json.at("/scenarios/1/first_seed")).isEqualTo("100");
        assertThat(json.at("/scenarios/1/complete")).isEqualTo("false");
        assertThat(json.at("/scenarios/1/finding")).isEqualTo("null");
    }

    @Test
    void jsonIsRejectedWithoutASearch() {
        assertThat(run("check", "barrier", "--replay", "3", "--json")).isEqualTo(2);
        assertThat(errors()).contains("--json").contains("--replay");
        assertThat(printed()).isEmpty();
    }

    @Test
    void aNumberOfSchedulesIsRejectedForScenariosWhichCountSeeds() {
        assertThat(run("check", "barrier", "--schedules", "5")).isEqualTo(2);
        assertThat(errors()).contains("--schedules: got '5'").contains("--seeds is the number of schedules");
        assertThat(run("check", "barrier", "--replay", "3", "--schedules", "5")).isEqualTo(2);
        assertThat(printed()).isEmpty();
    }
}
