// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ThreadKind;
import dev.remus.launcher.Main;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A few trials of {@code ./remus torture --on-node-loss continue}. */
@Tag("processes")
@Timeout(300)
class EnduranceTrialTest {
    private static final Topology TOPOLOGY = new Topology("1 MN + 3 CN", 0, 0, 1, 3, 1);

    @TempDir
    private Path folder;

    private static EndurancePlan plan(String experiment, Moment... moments) {
        return new EndurancePlan(1, TOPOLOGY, experiment, List.of(moments), ThreadKind.PLATFORM);
    }

    @ParameterizedTest
    @Tag("any-jdk")
    @ValueSource(strings = {"intset --set lockfree --key-ub 255", "queue --queue bc", "kv --update 40 --remove 10"})
    void theOthersFinishThroughAKillAStopAndARestartAndLeaveNothing(String experiment) throws Exception {
        finishThroughAKillAStopAndARestart(experiment, ThreadKind.PLATFORM);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads exist from Java 21 on")
    void nodesWithVirtualThreadsFinishThroughThemToo() throws Exception {
        finishThroughAKillAStopAndARestart("queue --queue scalable", ThreadKind.VIRTUAL);
    }

    private void finishThroughAKillAStopAndARestart(String experiment, ThreadKind threads) throws Exception {
        List<Moment> moments = List.of(
                new Moment(Moment.Kind.KILLED, 1, 200, 0),
                new Moment(Moment.Kind.STOPPED, 2, 400, 1_000),
                new Moment(Moment.Kind.RESTARTED, 3, 1_500, 0));
        EndurancePlan plan = new EndurancePlan(1, TOPOLOGY, experiment, moments, threads);
        try (ShmFolder shm = new ShmFolder()) {
            EnduranceOutcome outcome = new EnduranceTrial(plan, "endurance", shm).run(Main.class, folder);
            assertThat(outcome.violations()).as(outcome.describe()).isEmpty();
            assertThat(outcome.faults()).isEqualTo(plan.moments());
        }
    }

    /** Nodes that ignore each other; node 2 fails. */
    static final class Unaware {
        private Unaware() {}

        private static final int NODES = 4;

        /** Leaves a file, and runs for two seconds once all nodes have done so. */
        public static void main(String... args) throws Exception {
            String id = Arrays.stream(args)
                    .filter(word -> word.startsWith("--node-id="))
                    .findFirst()
                    .orElseThrow()
                    .substring("--node-id=".length());
            Path file = Path.of(System.getProperty("remus.shm.dir"), "user", "endurance", "compute-" + id);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "left");
            while (Objects.requireNonNull(file.getParent().toFile().list()).length < NODES) {
                Thread.sleep(20); // a node is killed some time after the first progress: by then, all have left a file
            }
            System.out.println("@remus progress run 0 1");
            Thread.sleep(2_000);
            System.exit(id.equals("2") ? 3 : 0);
        }
    }

    @Test
    @Tag("any-jdk")
    void nodesThatFailOrDoNotNoticeALossOrLeaveFilesOrDoNotBalanceAreReported() throws Exception {
        EndurancePlan plan = plan("unaware", new Moment(Moment.Kind.KILLED, 3, 1_000, 0));
        try (ShmFolder shm = new ShmFolder()) {
            EnduranceOutcome outcome = new EnduranceTrial(plan, "endurance", shm).run(Unaware.class, folder);
            assertThat(outcome.violations())
                    .contains(
                            "node 2 ended with status 3 instead of 0",
                            "no node reports that Compute Node 3 is lost",
                            "no node reports balanced books")
                    .anyMatch(line -> line.endsWith("compute-3 is left in shared memory"));
            assertThat(outcome.describe()).startsWith("FAILED trial 1: unaware, 1 MN + 3 CN; Compute Node 3 killed");
        }
    }

    private static EndurancePlan drawn(long seed, int number) {
        return EndurancePlan.draw(seed, number, 2_000, ThreadKind.PLATFORM);
    }

    @Test
    void theSameSeedMakesTheSamePlansAndOneNodeIsNeverKilled() {
        Set<String> experiments = new HashSet<>();
        for (int number = 1; number <= 100; number++) {
            EndurancePlan plan = drawn(7, number);
            assertThat(plan).isEqualTo(drawn(7, number)).isNotEqualTo(drawn(8, number));
            assertThat(plan.moments().stream()
                            .filter(moment -> moment.kind() != Moment.Kind.STOPPED)
                            .map(Moment::victim)
                            .distinct())
                    .hasSizeLessThan(3);
            experiments.add(plan.experiment());
        }
        assertThat(experiments).hasSameSizeAs(EndurancePlan.EXPERIMENTS);
    }
}
