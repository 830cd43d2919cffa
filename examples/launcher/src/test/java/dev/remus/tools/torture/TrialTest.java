// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.remus.config.ThreadKind;
import dev.remus.fabric.VirtualThreads;
import dev.remus.launcher.Main;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A few trials of {@code ./remus torture}. */
@Tag("processes")
@Timeout(180)
class TrialTest {
    @TempDir
    private Path folder;

    private TrialOutcome run(ShmFolder shm, TorturePlan plan) throws Exception {
        Path results = Files.createDirectory(folder.resolve("results-" + plan.number()));
        String name = "trial-" + ProcessHandle.current().pid() + "-" + plan.number();
        TrialOutcome outcome = new Trial(plan, name, shm, new Trial.StartTime()).run(Main.class, results);
        assertThat(outcome.violations()).as(Summary.describe(outcome)).isEmpty();
        return outcome;
    }

    private static TorturePlan plan(int number, int topology, NodeFault fault, InjectionPoint point, int victim) {
        return plan(number, topology, fault, point, victim, ThreadKind.PLATFORM);
    }

    private static TorturePlan plan(
            int number, int topology, NodeFault fault, InjectionPoint point, int victim, ThreadKind threads) {
        return new TorturePlan(number, Topology.ALL.get(topology), fault, point, victim, 0.3, 3_000, threads);
    }

    private static void assumeExist(ThreadKind threads) {
        assumeTrue(threads == ThreadKind.PLATFORM || VirtualThreads.exist(), "virtual threads exist from Java 21 on");
    }

    @ParameterizedTest
    @Tag("any-jdk")
    @CsvSource({"1, 0, PREFILL, 0", "2, 3, BARRIER, 3", "3, 3, RUN, 1", "4, 1, DESTROY, 0"})
    void whenANodeIsKilledTheOthersNameItEndAndLeaveNothing(int number, int topology, InjectionPoint point, int victim)
            throws Exception {
        try (ShmFolder shm = new ShmFolder()) {
            TrialOutcome outcome = run(shm, plan(number, topology, NodeFault.KILL, point, victim));
            // A cluster that is about to end may end before the kill.
            assertThat(outcome.isKill() || point == InjectionPoint.DESTROY).isTrue();
        }
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads exist from Java 21 on")
    void nodesWithVirtualThreadsNoticeAKillToo() throws Exception {
        try (ShmFolder shm = new ShmFolder()) {
            TorturePlan kill = plan(9, 0, NodeFault.KILL, InjectionPoint.RUN, 1, ThreadKind.VIRTUAL);
            assertThat(run(shm, kill).isKill()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whenAllAreKilledAtOnceTheNextStartCleansUp(ThreadKind threads) throws Exception {
        assumeExist(threads);
        try (ShmFolder shm = new ShmFolder()) {
            run(shm, plan(5, 2, NodeFault.KILL_ALL, InjectionPoint.RUN, 5, threads));
            assertThat(shm.leftovers()).isNotEmpty();
            run(shm, TorturePlan.withoutFault(6, threads));
            assertThat(shm.leftovers()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aNodeThatIsStoppedFor3SecondsIsNotLostAndTheAuditBalances(ThreadKind threads) throws Exception {
        assumeExist(threads);
        try (ShmFolder shm = new ShmFolder()) {
            TrialOutcome outcome = run(shm, plan(7, 0, NodeFault.STOP, InjectionPoint.RUN, 1, threads));
            assertThat(outcome.isKill()).isFalse();
            assertThat(outcome.millis()).isGreaterThan(3_000);
        }
    }

    /** Nodes that ignore each other; node 1, the victim, does not end by itself. */
    static final class Unaware {
        private Unaware() {}

        /** Runs for a second, or forever on node 1, and ends with status 0. */
        public static void main(String... args) throws InterruptedException {
            System.out.println("torture: create");
            System.out.println("@remus progress run 0 1");
            Thread.sleep(List.of(args).contains("--node-id=1") ? Long.MAX_VALUE : 1_000);
        }
    }

    @Test
    @Tag("any-jdk")
    void nodesThatDoNotNoticeAKillAreReported() throws Exception {
        try (ShmFolder shm = new ShmFolder()) {
            Trial trial =
                    new Trial(plan(8, 0, NodeFault.KILL, InjectionPoint.RUN, 1), "unaware", shm, new Trial.StartTime());
            TrialOutcome outcome = trial.run(Unaware.class, folder);
            assertThat(outcome.violations())
                    .containsExactly(
                            "node 0 ended with status 0 instead of 1", "node 2 ended with status 0 instead of 1");
            assertThat(Summary.describe(outcome)).startsWith("FAILED trial 8: Compute Node 1 killed at run");
        }
    }

    private static TorturePlan drawn(long seed, int number) {
        return TorturePlan.draw(seed, number, 2_000, ThreadKind.PLATFORM);
    }

    @Test
    void theSameSeedMakesTheSamePlans() {
        for (int number = 1; number <= 100; number++) {
            assertThat(drawn(7, number)).isEqualTo(drawn(7, number));
        }
        assertThat(drawn(7, 1)).isNotEqualTo(drawn(8, 1));
    }
}
