// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.check.History;
import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Verdict.Outcome;
import dev.remus.structures.spec.MapSpecification;
import dev.remus.verify.OperationLog;
import dev.remus.verify.RecordedRun;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("any-jdk")
class MapJudgeTest {
    private static final int RUNS = 10_000;
    private static final int KEY = 7;

    private static Outcome searched(RecordedRun recorded, int threads) {
        MapRun run = new MapRun(recorded, threads);
        Outcome of0 = searched(run, 0, Optional.empty());
        return of0 == Outcome.ACCEPTED ? searched(run, 1, MapRun.name(MapCodes.AT_FIRST)) : of0;
    }

    private static Outcome searched(MapRun run, long key, Optional<String> atFirst) {
        var history = History.of(IntStream.range(0, run.size())
                .filter(op -> run.key(op) == key)
                .mapToObj(run::invocation)
                .toList());
        return new LinearizabilityChecker<>(new MapSpecification<Long, String>(atFirst))
                .check(history)
                .outcome();
    }

    /** Its evidence is itself wrong, or the judge would have to be believed. */
    @Test
    void mapsAreJudgedAsByTheSearch() {
        Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
        for (int seed = 0; seed < RUNS; seed++) {
            RandomRun random = new RandomRun(seed, seed % 3 * 0.06, seed % 4 == 3 ? 0.1 : 0);
            RecordedRun run = random.ofMap();
            RunVerdict verdict = new MapJudge(key -> key == 1).judge(run, random.threads());
            assertThat(verdict.outcome()).as("seed %d", seed).isEqualTo(searched(run, random.threads()));
            if (!verdict.isAccepted()) {
                assertThat(verdict.evidence().orElseThrow().reason())
                        .as("seed %d", seed)
                        .startsWith("not linearizable: no order of the operations explains that ");
            }
            outcomes.merge(verdict.outcome(), 1, Integer::sum);
        }
        assertThat(outcomes.get(Outcome.ACCEPTED)).isGreaterThan(RUNS / 3);
        assertThat(outcomes.get(Outcome.REJECTED)).isGreaterThan(RUNS / 10);
    }

    /** Operations that follow one another, from two threads. */
    private static final class Turns {
        private final List<OperationLog> logs = List.of(new OperationLog(20_000), new OperationLog(20_000));
        private long now;

        int operate(int thread, int kind, boolean changes, int seen) {
            OperationLog log = logs.get(thread);
            int written = MapCodes.written(thread, log.size(), logs.size());
            log.call(kind, MapCodes.value(KEY, seen), now += 10);
            log.returned(MapCodes.outcome(changes), MapCodes.value(KEY, seen), now += 10);
            return written;
        }

        int put(int thread, int seen) {
            return operate(thread, MapCodes.PUT, true, seen);
        }

        void get(int thread, int seen) {
            operate(thread, MapCodes.GET, false, seen);
        }

        RunVerdict.Evidence evidence(boolean presentAtFirst) {
            RunVerdict verdict = new MapJudge(key -> presentAtFirst).judge(RecordedRun.of(logs), logs.size());
            assertThat(verdict.outcome()).isEqualTo(Outcome.REJECTED);
            return verdict.evidence().orElseThrow();
        }
    }

    @Test
    void aStaleReadInALongRunIsDrawnWithTheUpdateThatItMissed() {
        Turns turns = new Turns();
        int value = MapCodes.AT_FIRST;
        for (int i = 0; i < 10_000; i++) {
            int next = turns.put(0, value);
            turns.get(1, i == 7_000 ? value : next);
            value = next;
        }
        RunVerdict.Evidence evidence = turns.evidence(true);
        assertThat(evidence.history().size()).isEqualTo(2);
        assertThat(evidence.drawing())
                .contains("put(7, v14001)", "get(7)", "Optional[v13999]", "no order of the operations explains");
    }

    @Test
    void aKeyThatSeemsToBeMissingInALongRunIsDrawnWithWhatWasThere() {
        Turns turns = new Turns();
        int value = MapCodes.AT_FIRST;
        for (int i = 0; i < 10_000; i++) {
            value = turns.put(0, value);
            turns.get(1, i == 7_000 ? MapCodes.MISSING : value);
        }
        RunVerdict.Evidence evidence = turns.evidence(true);
        assertThat(evidence.history().size()).isEqualTo(3);
        assertThat(evidence.drawing())
                .startsWith("at first, the key has the value v13999\n")
                .contains("put(7, v14001)", "get(7)", "Optional.empty");
    }

    @Test
    void aKeyThatIsInsertedTwiceIsFound() {
        Turns turns = new Turns();
        turns.put(0, MapCodes.MISSING);
        turns.put(1, MapCodes.MISSING);
        assertThat(turns.evidence(false).history().size()).isEqualTo(2);
    }

    @Test
    void aLostUpdateIsFound() {
        Turns turns = new Turns();
        int value = turns.put(0, MapCodes.MISSING);
        turns.put(0, value);
        turns.put(1, value);
        assertThat(turns.evidence(false).drawing()).contains("put(7, v1)", "put(7, v3)", "put(7, v2)");
    }

    @Test
    void aValueOfAnotherKeyIsFound() {
        Turns turns = new Turns();
        turns.get(0, MapCodes.FOREIGN);
        assertThat(turns.evidence(false).drawing()).contains("foreign");
    }

    @Test
    void aReplacementThatFailsWithoutReasonIsFound() {
        Turns turns = new Turns();
        int value = turns.put(0, MapCodes.MISSING);
        turns.get(1, value);
        turns.operate(1, MapCodes.REPLACE, false, value);
        turns.put(0, value);
        assertThat(turns.evidence(false).drawing()).contains("replace(7, v1, v4)");
    }

    @Test
    void aMillionOperationsOfManyThreadsOnOneKeyAreJudged() {
        int threads = 100;
        List<OperationLog> logs = new ArrayList<>();
        IntStream.range(0, threads).forEach(thread -> logs.add(new OperationLog(10_000)));
        int value = MapCodes.MISSING;
        for (int i = 0; i < 1_000_000; i++) { // 100 operations are in flight at any time
            OperationLog log = logs.get(i % threads);
            int kind = i % 4 == 0 ? MapCodes.GET : i % 4 == 3 ? MapCodes.REMOVE : MapCodes.PUT;
            int written = MapCodes.written(i % threads, log.size(), threads);
            log.call(kind, KEY, i - 90);
            log.returned(MapCodes.outcome(kind != MapCodes.GET), MapCodes.value(KEY, value), i + 9);
            value = kind == MapCodes.PUT ? written : kind == MapCodes.REMOVE ? MapCodes.MISSING : value;
        }
        assertThat(new MapJudge(key -> false).judge(RecordedRun.of(logs), threads))
                .hasToString("1,000,000 operations: linearizable");
    }
}
