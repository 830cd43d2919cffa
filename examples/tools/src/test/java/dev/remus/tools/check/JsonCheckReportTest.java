// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.sim.Weakness;
import dev.remus.simulation.Finding;
import dev.remus.simulation.SchedulerKind;
import dev.remus.tools.JsonText;
import dev.remus.tools.scenarios.NamedScenario;
import dev.remus.tools.scenarios.ScenarioCatalogue;
import dev.remus.tools.scenarios.Size;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The JSON that {@code check --json} prints. */
@Tag("any-jdk")
class JsonCheckReportTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private static SearchPlan plan(SchedulerKind scheduler) {
        NamedScenario scenario = ScenarioCatalogue.ALL.get(0);
        return new SearchPlan(
                scenario,
                scenario.defaultSize(),
                new SearchConditions(scheduler, 2, EnumSet.allOf(Weakness.class), Optional.empty()));
    }

    private JsonText printed(SearchOutcome outcome, Optional<SmallerCase> smaller) throws Exception {
        JsonCheckReport programs =
                new JsonCheckReport(new PrintStream(out, true, StandardCharsets.UTF_8), new FindingsFolder(folder));
        programs.print(outcome);
        if (!outcome.isClean()) {
            programs.printSmaller(smaller);
        }
        programs.conclude(outcome.isClean());
        return new JsonText(out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void aFindingHasItsSeedItsTextAndItsReplayCommand() throws Exception {
        SearchPlan plan = plan(SchedulerKind.RANDOM);
        Finding finding = new Finding(4711, new AssertionError("lost a \"key\"\n"));
        SearchPlan small = plan.withSize(new Size(2, 1, 1));
        JsonText json = printed(
                new SearchOutcome(plan, 4700, 100, 12, 0.5, Optional.of(finding), List.of()),
                Optional.of(new SmallerCase(small, new Finding(3, new AssertionError("lost")))));
        assertThat(json.at("/clean")).isEqualTo("false");
        assertThat(json.at("/scenarios/0/clean")).isEqualTo("false");
        assertThat(json.at("/scenarios/0/finding/seed")).isEqualTo("4711");
        assertThat(json.at("/scenarios/0/finding/text")).isEqualTo("lost a \"key\"");
        assertThat(json.at("/scenarios/0/finding/replay")).isEqualTo(plan.replayCommand(4711));
        assertThat(json.at("/scenarios/0/finding/file"))
                .isEqualTo(folder.resolve("lazylist-4711.txt").toString());
        assertThat(folder.resolve("lazylist-4711.txt")).isRegularFile();
        assertThat(json.at("/scenarios/0/finding/file_problem")).isEqualTo("null");
        assertThat(json.at("/scenarios/0/smaller/replay")).isEqualTo(small.replayCommand(3));
    }

    @Test
    void aFileThatCannotBeWrittenIsNullAndHasAProblem() throws Exception {
        folder = Files.writeString(folder.resolve("occupied"), "a file");
        Finding finding = new Finding(1, new AssertionError("lost"));
        JsonText json = printed(
                new SearchOutcome(plan(SchedulerKind.RANDOM), 1, 1, 1, 0.5, Optional.of(finding), List.of()),
                Optional.empty());
        assertThat(json.at("/scenarios/0/finding/file")).isEqualTo("null");
        assertThat(json.at("/scenarios/0/finding/file_problem")).contains("occupied");
    }

    @Test
    void withoutASmallerCaseThereIsNull() throws Exception {
        Finding finding = new Finding(1, new AssertionError("lost"));
        JsonText json = printed(
                new SearchOutcome(plan(SchedulerKind.RANDOM), 1, 1, 1, 0.5, Optional.of(finding), List.of()),
                Optional.empty());
        assertThat(json.at("/scenarios/0/smaller")).isEqualTo("null");
    }

    @Test
    void anExhaustiveSearchReportsWhetherItIsComplete() throws Exception {
        SearchPlan plan = plan(SchedulerKind.EXHAUSTIVE);
        SearchOutcome complete = new SearchOutcome(plan, 99, 12, 12, 0.5, Optional.empty(), List.of());
        assertThat(printed(complete, Optional.empty()).at("/scenarios/0/complete"))
                .isEqualTo("true");
        out.reset();
        SearchOutcome bounded = new SearchOutcome(plan, 99, 12, 12, 0.5, Optional.empty(), List.of("polls"));
        JsonText json = printed(bounded, Optional.empty());
        assertThat(json.at("/scenarios/0/complete")).isEqualTo("false");
        assertThat(json.at("/scenarios/0/left_out/0")).isEqualTo("polls");
    }
}
