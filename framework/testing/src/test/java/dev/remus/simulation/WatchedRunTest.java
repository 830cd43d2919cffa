// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.remus.check.DeterministicSpecification;
import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.memory.RdmaPtr;
import dev.remus.record.RemoteArray;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import dev.remus.record.RemoteRef;
import dev.remus.simulation.player.PageContent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class WatchedRunTest {
    private static final String HOSTILE = "</script><script>alert(1)</script>\u2028<!-- <b>";

    private static final class Counter implements DeterministicSpecification<Long, String, Long> {
        @Override
        public Long initial() {
            return 0L;
        }

        @Override
        public Step<Long, Long> step(Long count, String increment) {
            return new Step<>(count + 1, count);
        }
    }

    private static final class Shared extends RemoteRecord {
        final RemoteRef<Element> first = refField();
        final RemoteLong count = longField();
        final RemoteArray elements = arrayField(3, 8);
    }

    private static final class Element extends RemoteRecord {
        final RemoteLong value = longField();
    }

    /** Threads increment a counter that they read and write, so some counts are lost. */
    private static void increment(Schedule schedule) throws Exception {
        Recorder<String, Long> recorder = new Recorder<>();
        new SimulatedCluster(2, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        Shared shared = new Shared();
                        Element element = new Element();
                        shared.allocate(ct);
                        shared.count.store(0, ct);
                        element.at(shared.elements.pointer(1));
                        element.value.store(77, ct);
                        shared.first.store(element.pointer(), ct);
                        ct.root().set(new RdmaPtr<>(shared.pointer()));
                    }
                })
                .run(ct -> {
                    Shared shared = new Shared();
                    shared.at(ct.root().get());
                    for (int i = 0; i < 4; i++) {
                        recorder.record(ct.id(), "increment", () -> {
                            long count = shared.count.load(ct);
                            shared.count.store(count + 1, ct);
                            return count;
                        });
                    }
                });
        new LinearizabilityChecker<>(new Counter()).judge(recorder.history());
    }

    private static WatchedRun failingRun() {
        Finding finding = Finding.first(WatchedRunTest::increment, Schedule::random, 0, 1_000)
                .orElseThrow();
        return WatchedRun.of(WatchedRunTest::increment, Schedule.random(finding.seed()));
    }

    private static PageContent page(WatchedRun run) throws Exception {
        return new PageContent(run.page("title", "run it"));
    }

    @Test
    void theViolationIsTheReturnOfTheOperationWhoseResultIsWrong() throws Exception {
        WatchedRun run = failingRun();
        PageContent page = page(run);
        String verdict = page.text("failure");
        List<List<Object>> returned = page.events(page.violation()).stream()
                .filter(event -> event.get(0).equals("return"))
                .toList();
        assertThat(returned)
                .anySatisfy(event -> assertThat(verdict)
                        .contains("that " + event.get(2) + " by thread " + event.get(1) + " returned " + event.get(3)));
        assertThat(verdict).isEqualTo(run.finding().orElseThrow().describe().stripTrailing());
    }

    @Test
    void memoryFollowsFromItsFirstValuesAndTheChanges() throws Exception {
        PageContent page = page(failingRun());
        Map<Object, Object> memory = new HashMap<>();
        page.table("words").forEach((pointer, word) -> memory.put(pointer, ((Map<?, ?>) word).get("first")));
        Map<Object, Map<?, ?>> posted = new HashMap<>();
        int reads = 0;
        for (List<Object> event : page.events()) {
            if (event.get(0).equals("post")) {
                Map<?, ?> request = (Map<?, ?>) event.get(1);
                posted.put(request.get("id"), request);
            } else if (event.get(0).equals("change")) {
                assertThat(memory.put(event.get(1), event.get(3))).isEqualTo(event.get(2));
            } else if (event.get(0).equals("end")) {
                Map<?, ?> request = posted.get(event.get(1));
                if (request.get("operation").equals("READ")
                        && request.get("words").equals(1L)) {
                    assertThat(event.get(3)).isEqualTo(List.of(memory.get(request.get("pointer"))));
                    reads++;
                }
            }
        }
        assertThat(reads).isGreaterThanOrEqualTo(8);
    }

    @Test
    void wordsHaveTheNamesOfFieldsAndElementsLieInTheirRecord() throws Exception {
        PageContent page = page(failingRun());
        Map<Object, Map<String, Object>> words = page.table("words").values().stream()
                .map(word -> {
                    @SuppressWarnings("unchecked")
                    Map<String, Object> fields = (Map<String, Object>) word;
                    return fields;
                })
                .filter(word -> !word.get("box").equals(-1L))
                .collect(Collectors.toMap(word -> word.get("name"), word -> word));
        assertThat(words).containsOnlyKeys("first", "count", "value");
        assertThat(words.get("first")).containsEntry("reference", true);
        assertThat(words.get("count")).containsEntry("reference", false);
        assertThat(page.boxes())
                .anySatisfy(box -> assertThat(box)
                        .containsEntry("type", "WatchedRunTest.Shared")
                        .containsEntry("parent", -1L))
                .anySatisfy(box -> assertThat(box)
                        .containsEntry("type", "WatchedRunTest.Element")
                        .containsEntry("element", "elements[1]"));
    }

    @Test
    void requestsHaveTheirLineOfSourceAndThreadsTheirNumbers() throws Exception {
        PageContent page = page(failingRun());
        assertThat(page.table("threads")).containsEntry("remus-2-0", 0L).containsEntry("remus-3-0", 1L);
        assertThat(page.events("post"))
                .anySatisfy(event -> assertThat(
                                ((Map<?, ?>) event.get(1)).get("source").toString())
                        .matches("WatchedRunTest.java:\\d+"));
        assertThat(page.events("call")).hasSize(8);
        assertThat(page.events("place")).isNotEmpty();
    }

    @Test
    void textsOfTheRunAreNeverMarkup() throws Exception {
        Scenario scenario = schedule -> {
            Recorder<String, String> recorder = new Recorder<>();
            new SimulatedCluster(2, schedule).run(ct -> recorder.record(ct.id(), HOSTILE, () -> HOSTILE));
            throw new AssertionError(HOSTILE);
        };
        String page = WatchedRun.of(scenario, Schedule.random(1)).page(HOSTILE, HOSTILE);
        assertThat(page).doesNotContain("<script>alert").doesNotContain("<b>");
        assertThat(page.split("</script>", -1)).hasSize(3); // the ends of the recording and of the page's script
        PageContent content = new PageContent(page);
        assertThat(content.text("title")).isEqualTo(HOSTILE);
        assertThat(content.text("failure")).isEqualTo(HOSTILE);
        assertThat(content.events("call")).allSatisfy(event -> assertThat(event).contains(HOSTILE));
    }

    @Test
    void thePageLoadsNothing() throws Exception {
        String page = failingRun().page("title", "run it");
        assertThat(page)
                .contains("default-src 'none'")
                .doesNotContain(" src=")
                .doesNotContain("@import")
                .doesNotContain("url(")
                .doesNotContain("href=\"http");
    }

    @Test
    void aRunThatFailsWithAnExceptionIsViolatedWhereItIsThrown() throws Exception {
        Scenario scenario = schedule -> {
            Recorder<String, Long> recorder = new Recorder<>();
            new SimulatedCluster(2, schedule).run(ct -> {
                recorder.record(ct.id(), "read the root", () -> ct.root().get().raw());
                if (ct.id() == 1) {
                    throw new ArithmeticException("by zero");
                }
            });
        };
        WatchedRun run = WatchedRun.of(scenario, Schedule.random(5));
        PageContent page = page(run);
        assertThat(page.events(page.violation()))
                .contains(List.of("note", "failure: java.lang.ArithmeticException: by zero"));
        assertThat(run.trace()).contains("    failure: java.lang.ArithmeticException: by zero\n");
    }

    @Test
    void faultsAreEvents() throws Exception {
        Schedule schedule = Schedule.random(1).withStrikes(new Strike(Fault.STOPPED_THREADS, 1, 1));
        Scenario scenario = s -> new SimulatedCluster(2, s).run(ct -> ct.root().get());
        assertThat(page(WatchedRun.of(scenario, schedule)).events("note"))
                .contains(List.of("note", "fault: STOPPED_THREADS at thread 1, wait 1"));
    }

    @Test
    void aRunThatIsRightHasNoViolation() throws Exception {
        WatchedRun run = WatchedRun.of(
                s -> new SimulatedCluster(2, s).run(ct -> ct.root().get()), Schedule.random(1));
        assertThat(run.finding()).isEqualTo(Optional.empty());
        assertThat(page(run).violation()).isEqualTo(-1);
        assertThat(run.steps()).isPositive();
    }

    @Test
    void aScenarioWithoutAClusterHasNoPage() {
        WatchedRun run = WatchedRun.of(schedule -> {}, Schedule.random(1));
        assertThat(run.steps()).isZero();
        assertThatIllegalStateException().isThrownBy(() -> run.page("title", "run it"));
    }
}
