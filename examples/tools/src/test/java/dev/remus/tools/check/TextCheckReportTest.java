// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.check;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.sim.Weakness;
import dev.remus.memory.RdmaPtr;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.SchedulerKind;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.tools.scenarios.NamedScenario;
import dev.remus.tools.scenarios.Size;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextCheckReportTest {
    /** Each thread adds once to a word; with more than one operation, it also waits for the others. */
    private static Scenario additions(Size size) {
        return schedule -> new SimulatedCluster(size.threads(), schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(new RdmaPtr<>(ct.allocate(64)));
                    }
                })
                .run(ct -> {
                    ct.fetchAndAdd(ct.root().get().raw(), 1);
                    if (size.operations() > 1) {
                        ct.barrier();
                    }
                });
    }

    private static String printed(int operations, int preemptions, int most) throws InterruptedException {
        NamedScenario scenario = new NamedScenario("additions", "", new Size(2, 1, 0), TextCheckReportTest::additions);
        SearchPlan plan = new SearchPlan(
                scenario,
                new Size(2, operations, 0),
                new SearchConditions(
                        SchedulerKind.EXHAUSTIVE, preemptions, EnumSet.of(Weakness.SPLIT_ATOMICS), Optional.empty()));
        ScheduleSearch search = new ScheduleSearch(plan, 0, most);
        var finding = search.run(1, done -> {});
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        new TextCheckReport(stream, new FindingsFolder(Path.of("unused")))
                .print(new SearchOutcome(plan, 0, most, search.done(), 0.5, finding, search.leftOut()));
        return out.toString(StandardCharsets.UTF_8).strip();
    }

    @Test
    void anExhaustiveSearchIsCompleteOnlyIfNothingWasLeftOut() throws Exception {
        assertThat(printed(1, SchedulerKind.ANY_NUMBER, 10_000)).matches("additions: [0-9,]+ schedules .*, complete");
        assertThat(printed(1, SchedulerKind.ANY_NUMBER, 3))
                .endsWith("3 schedules clean in 0.5 s, not complete: only the first 3 schedules");
        assertThat(printed(1, 0, 10_000)).endsWith(", not complete: no more preemptions");
        assertThat(printed(2, 0, 10_000))
                .endsWith(", not complete: no more preemptions; a thread that polls in vain polls only once more");
    }

    @Test
    void aFindingNamesItsFileWhichHasTheStepsOfThatSchedule(@TempDir Path folder) throws Exception {
        Scenario fails = schedule -> {
            additions(new Size(2, 1, 0)).run(schedule);
            throw new AssertionError("always");
        };
        NamedScenario scenario = new NamedScenario("fails", "", new Size(2, 1, 0), size -> fails);
        SearchConditions conditions =
                new SearchConditions(SchedulerKind.EXHAUSTIVE, 0, EnumSet.noneOf(Weakness.class), Optional.empty());
        SearchPlan plan = new SearchPlan(scenario, scenario.defaultSize(), conditions);
        ScheduleSearch search = new ScheduleSearch(plan, 0, 1);
        var finding = search.run(1, done -> {});
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new TextCheckReport(new PrintStream(out, true, StandardCharsets.UTF_8), new FindingsFolder(folder))
                .print(new SearchOutcome(plan, 0, 1, search.done(), 0.5, finding, search.leftOut()));

        Path file = folder.resolve("fails-0.txt");
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("all operations and steps: " + file);
        assertThat(file)
                .content(UTF_8)
                .startsWith("Replay: " + plan.replayCommand(0))
                .containsPattern("FETCH_AND_ADD of 1 word .* \\(TextCheckReportTest.java:\\d+\\)")
                .doesNotContain("depends on something besides");
    }
}
