// SPDX-License-Identifier: Apache-2.0
package dev.remus.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.remus.local.Leftovers;
import dev.remus.local.ProcessCluster;
import dev.remus.local.ThreadCluster;
import dev.remus.node.ComputeThread;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

@Timeout(180)
class LocalClusterTest {
    private static final Set<Integer> SEEN = ConcurrentHashMap.newKeySet();

    @BeforeEach
    void forget() {
        SEEN.clear();
    }

    private static EngineExecutionResults run(Class<?> tests) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(tests))
                .execute();
    }

    private static Throwable failure(EngineExecutionResults results) {
        assertThat(results.testEvents().failed().count()).isOne();
        return results.testEvents()
                .failed()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .map(result -> result.getThrowable().orElseThrow())
                .findFirst()
                .orElseThrow();
    }

    static class InThreads {
        @LocalCluster(memoryNodes = 2, computeNodes = 2, threadsPerNode = 2, settings = "--seg-size=16")
        void runsInEachComputeThread(ComputeThread ct) {
            ct.barrier();
            SEEN.add(ct.id());
        }
    }

    @Test
    void aMethodWithAComputeThreadRunsInAllOfThem() {
        run(InThreads.class).testEvents().assertStatistics(s -> s.started(1).succeeded(1));
        assertThat(SEEN).containsExactlyInAnyOrder(0, 1, 2, 3);
    }

    @LocalCluster(computeNodes = 3)
    @Retention(RetentionPolicy.RUNTIME)
    @interface ThreeNodes {}

    static class Composed {
        @ThreeNodes
        void runsInEachComputeThread(ComputeThread ct) {
            SEEN.add(ct.id());
        }

        @ThreeNodes
        void runsOnce(ThreadCluster cluster) {
            assertThat(cluster.config().computeNodes()).isEqualTo(3);
        }
    }

    @Test
    void anAnnotationThatIsAnnotatedStandsForItsCluster() {
        run(Composed.class).testEvents().assertStatistics(s -> s.started(2).succeeded(2));
        assertThat(SEEN).containsExactlyInAnyOrder(0, 1, 2);
    }

    static class Driving {
        @LocalCluster(computeNodes = 3)
        void runsOnce(ThreadCluster cluster) throws Exception {
            assertThat(cluster.config().computeNodes()).isEqualTo(3);
            cluster.run(ct -> SEEN.add(ct.id()));
            assertThat(SEEN).hasSize(3);
            Leftovers.assertNone(cluster.config());
        }
    }

    @Test
    void aMethodWithAClusterRunsIt() {
        run(Driving.class).testEvents().assertStatistics(s -> s.started(1).succeeded(1));
    }

    static class Failing {
        @LocalCluster
        void fails(ComputeThread ct) {
            assertThat(ct.id()).isZero();
        }
    }

    @Test
    void anAssertionInAComputeThreadFailsTheTestAsItIs() {
        assertThat(failure(run(Failing.class)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("expected: 0");
    }

    static class InProcesses {
        @LocalCluster(processes = true)
        void passes(ComputeThread ct) {
            ct.barrier();
            assertThat(ProcessHandle.current()
                            .parent()
                            .flatMap(parent -> parent.info().command()))
                    .get()
                    .asString()
                    .endsWith("java");
        }

        @LocalCluster(processes = true)
        void fails(ComputeThread ct) {
            assertThat(ct.id()).isZero();
        }

        @LocalCluster(processes = true)
        void isAborted(ComputeThread ct) {
            Assumptions.abort("not here");
        }
    }

    @Test
    @Tag("processes")
    void aMethodRunsInTheComputeThreadsOfProcesses() {
        EngineExecutionResults results = run(InProcesses.class);
        results.testEvents().assertStatistics(s -> s.started(3).succeeded(1).aborted(1));
        assertThat(failure(results))
                .hasMessageStartingWith("node 2 failed: ")
                .hasMessageContaining("expected: 0")
                .hasMessageContaining("LocalClusterTest$InProcesses.fails");
        assertThat(SEEN).isEmpty();
    }

    @SuppressWarnings("ClassCanBeStatic")
    static class Wrong {
        private final int value;

        Wrong(org.junit.jupiter.api.TestInfo info) {
            value = info.getDisplayName().length();
        }

        @LocalCluster(processes = true)
        void cannotBeMade(ComputeThread ct) {
            assertThat(value).isNegative();
        }

        @LocalCluster
        void hasAnotherParameter(ComputeThread ct, ThreadCluster cluster) {}

        @LocalCluster(processes = true)
        void contradicts(ThreadCluster cluster) {}

        @LocalCluster(settings = "--seg-sise=2")
        void isMisspelt(ProcessCluster cluster) {}

        @LocalCluster(timeoutSeconds = 0)
        void hasNoTime(ComputeThread ct) {}
    }

    @Test
    void aMethodThatCannotRunIsRejectedWithTheReason() {
        assertThat(run(Wrong.class)
                        .testEvents()
                        .failed()
                        .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                        .map(result -> result.getThrowable().orElseThrow())
                        .map(e -> e.getCause() == null
                                ? e.getMessage()
                                : e.getMessage() + e.getCause().getMessage()))
                .hasSize(5)
                .anyMatch(message -> message.contains("needs a constructor without parameters"))
                .anyMatch(message -> message.contains("can have no other parameter"))
                .anyMatch(message -> message.contains("must be a ProcessCluster or a ComputeThread"))
                .anyMatch(message -> message.contains("'--seg-sise=2' is no setting"))
                .anyMatch(message -> message.contains("time limit: got 0 s, needs more than 0 s"));
    }
}
