// SPDX-License-Identifier: Apache-2.0
package dev.remus.junit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.remus.fabric.sim.Fault;
import dev.remus.memory.RdmaPtr;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SchedulerKind;
import dev.remus.simulation.SimulatedCluster;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

class SimulationTestTest {
    private static final Pattern SEED = Pattern.compile("-Dremus.seed=(\\d+)");
    private static final List<Schedule> SEEN = new ArrayList<>();

    private final Properties properties = System.getProperties();

    /** Keeps properties that replay another test of this build from changing these tests. */
    @BeforeEach
    void forgetSeed() {
        SEEN.clear();
        Properties own = new Properties();
        own.putAll(properties);
        own.remove("remus.seed");
        own.remove("remus.schedules");
        own.remove("remus.trace");
        System.setProperties(own);
    }

    @AfterEach
    void restoreProperties() {
        System.setProperties(properties);
    }

    private static EngineExecutionResults run(Class<?> tests) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(tests))
                .execute();
    }

    private static String failure(EngineExecutionResults results) {
        assertThat(results.testEvents().failed().count()).isOne();
        return results.testEvents()
                .failed()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .map(result -> result.getThrowable().orElseThrow().getMessage())
                .findFirst()
                .orElseThrow();
    }

    static class Clean {
        @SimulationTest(schedules = 7, faults = Fault.SLOW_NODES)
        void passes(Schedule schedule) {
            SEEN.add(schedule);
        }
    }

    @Test
    void aTestRunsInItsNumberOfSchedulesAndPassesAsOne() {
        run(Clean.class).testEvents().assertStatistics(s -> s.started(1).succeeded(1));
        assertThat(SEEN).hasSize(7).allMatch(s -> s.faults().equals(Set.of(Fault.SLOW_NODES)));
        assertThat(SEEN.stream().map(Schedule::seed).distinct()).hasSize(7);
    }

    @SimulationTest(schedules = 3)
    @Retention(RetentionPolicy.RUNTIME)
    @interface ThreeSchedules {}

    static class Composed {
        @ThreeSchedules
        void passes(Schedule schedule) {
            SEEN.add(schedule);
        }
    }

    @Test
    void anAnnotationThatIsAnnotatedStandsForItsSchedules() {
        run(Composed.class).testEvents().assertStatistics(s -> s.started(1).succeeded(1));
        assertThat(SEEN).hasSize(3);
    }

    /** A counter that is read and written, and so loses counts. */
    static class Flawed {
        @SimulationTest(schedules = 10_000)
        void countsAll(Schedule schedule) throws Exception {
            SEEN.add(schedule);
            count(schedule);
        }
    }

    private static void count(Schedule schedule) throws Exception {
        new SimulatedCluster(2, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(new RdmaPtr<>(ct.allocate(8)));
                        ct.write(ct.root().get().raw(), 0);
                    }
                })
                .run(ct -> {
                    long counter = ct.root().get().raw();
                    ct.write(counter, ct.read(counter) + 1);
                    ct.barrier();
                    assertThat(ct.read(counter)).isEqualTo(2);
                });
    }

    @Test
    void aFailureNamesItsSeedAndThatSeedAloneFailsAgain() {
        String message = failure(run(Flawed.class));
        Matcher seed = SEED.matcher(message);
        assertThat(seed.find()).as(message).isTrue();
        int number = SEEN.size() - 1; // the last one ran a second time, with a trace
        assertThat(message).contains("schedule " + number + " fails").contains("expected: 2");

        SEEN.clear();
        System.setProperty("remus.seed", seed.group(1));
        assertThat(failure(run(Flawed.class))).contains("seed " + seed.group(1));
        assertThat(SEEN).hasSize(2);
    }

    @Test
    void aReplayPrintsEachStepAndItsWordsIfRequested() {
        Matcher seed = SEED.matcher(failure(run(Flawed.class)));
        assertThat(seed.find()).isTrue();
        System.setProperty("remus.seed", seed.group(1));
        assertThat(printedBy(() -> run(Flawed.class))).isEmpty();

        System.setProperty("remus.trace", "true");
        assertThat(printedBy(() -> run(Flawed.class)))
                .containsPattern(
                        "WRITE of 1 word at node \\d segment \\d offset 0x\\w+ by remus-\\d-0: 0x1 \\(SimulationTestTest.java:\\d+\\)\n")
                .containsPattern("COMPARE_AND_SWAP of 1 word at .* by remus-\\d-0: 0x\\w+ -> 0x\\w+ \\(");
    }

    @Test
    void aFailureNamesAFileWithAllStepsAndTheirLinesOfSource(@TempDir Path folder) throws Exception {
        System.setProperty("remus.findings", folder.toString());
        String message = failure(run(Flawed.class));
        Matcher seed = SEED.matcher(message);
        assertThat(seed.find()).isTrue();
        Path file = folder.resolve("Flawed-countsAll-" + seed.group(1) + ".txt");
        Path page = folder.resolve("Flawed-countsAll-" + seed.group(1) + ".html");
        assertThat(message).endsWith("all operations and steps: " + file + "\nto watch them, open " + page);
        assertThat(page).content(UTF_8).contains("<title>Flawed.countsAll</title>");
        assertThat(Files.readString(file))
                .contains("Replay: -Dtest=Flawed#countsAll -Dremus.seed=" + seed.group(1) + "\n")
                .contains("expected: 2")
                .containsPattern("READ of 1 word at .* by remus-\\d-0: 0x0 \\(SimulationTestTest.java:\\d+\\)\n")
                .containsPattern("node \\d segment \\d offset 0x\\w+: 0x0 becomes 0x1\n")
                .doesNotContain("depends on something besides");

        System.setProperty("remus.seed", seed.group(1));
        assertThat(failure(run(Flawed.class))).endsWith("-" + seed.group(1) + "-2.html");
    }

    private static String printedBy(Runnable tests) {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            tests.run();
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    static class Exhaustive {
        @SimulationTest(scheduler = SchedulerKind.EXHAUSTIVE, preemptions = 1, schedules = 100_000)
        void countsAll(Schedule schedule) throws Exception {
            count(schedule.withWeaknesses(Set.of()));
        }
    }

    @Test
    void anExhaustiveSearchFindsAFailureThatNeedsOnePreemption() {
        assertThat(failure(run(Exhaustive.class))).contains("of the exhaustive search fails");
    }

    static class Aborted {
        @SimulationTest
        void isAborted(Schedule schedule) {
            Assumptions.abort("not here");
        }
    }

    @Test
    void anAssumptionThatDoesNotHoldAbortsTheTest() {
        run(Aborted.class).testEvents().assertStatistics(s -> s.aborted(1).failed(0));
    }
}
