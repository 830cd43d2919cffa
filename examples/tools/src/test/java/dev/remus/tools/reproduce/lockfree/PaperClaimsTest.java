// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.lockfree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.tools.plot.RunTable;
import dev.remus.tools.queue.QueueKind;
import dev.remus.tools.queue.QueueMetric;
import dev.remus.tools.reproduce.lockfree.PaperClaim.Verdict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PaperClaimsTest {
    private static final Map<QueueMetric, Double> PARTS = Map.of(
            QueueMetric.ENQ_ALL, 4000.0,
            QueueMetric.ENQ_HOP, 3000.0,
            QueueMetric.DEQ_ALL, 4000.0,
            QueueMetric.DEQ_HOP, 3000.0,
            QueueMetric.BCAST_ALL, 1000.0);

    private static QueuePoints points(long operations, double... published) {
        QueuePoints points = new QueuePoints();
        for (int i = 0; i < published.length; i++) {
            points.add(new QueuePoint(QueueKind.ND_PUBLISHED, 2 + 2 * i, operations, published[i], PARTS));
            points.add(new QueuePoint(QueueKind.BD, 2 + 2 * i, operations, 50 - i, Map.of()));
            points.add(new QueuePoint(QueueKind.BC, 2 + 2 * i, operations, 20 - i, Map.of()));
        }
        return points;
    }

    private static List<PaperClaim> claims(Verdict verdict, QueuePoints points) {
        return new PaperClaims(QueuePoints.of(points.table(PaperFigures.ofText())), true)
                .all().stream().filter(claim -> claim.verdict() == verdict).toList();
    }

    private static List<PaperClaim> claims(Verdict verdict, double... published) {
        return claims(verdict, points(200, published));
    }

    @Test
    void curvesAsInThePaperAreTheSame() {
        assertThat(claims(Verdict.SAME, 90, 80, 70)).hasSize(6);
        assertThat(claims(Verdict.DIFFERENT, 90, 80, 70)).isEmpty();
    }

    @Test
    void aCurveThatRisesAndOneBelowAnotherAreDifferencesWithAReason() {
        List<PaperClaim> different = claims(Verdict.DIFFERENT, 40, 80, 70);
        assertThat(different)
                .extracting(PaperClaim::ours)
                .containsExactly(
                        "nd-published is not above bd with 2 processes",
                        "nd-published does 40 op/s with 2 processes, 70 with 6; it rises from 2 to 4");
        assertThat(different).allSatisfy(claim -> assertThat(claim.toText()).contains("\nbecause: "));
    }

    @Test
    void theShareOfFindingTheTailOrTheHeadIsThatOfBothKindsOfOperation() {
        assertThat(claims(Verdict.SAME, 90, 80))
                .extracting(PaperClaim::ours)
                .contains("with 4 processes, nd-published spends 75 % of its time finding them, and 25 % announcing");
    }

    @Test
    void aStatementWithoutItsPointsIsNotJudgedAndSaysWhy() {
        assertThat(claims(Verdict.NOT_JUDGED, 90, 80))
                .extracting(PaperClaim::why)
                .contains(
                        "no number of processes has points of nd and bd",
                        "points of bd: 2; a curve needs 3",
                        "nd-published lacks the points with 12 and 24 processes");
    }

    @Test
    void shortRunsAreNotJudged() {
        assertThat(claims(Verdict.NOT_JUDGED, points(20, 90, 80, 70)))
                .hasSize(11)
                .allSatisfy(claim -> assertThat(claim.why()).isEqualTo("n = 20 is too few: needs 100"));
    }

    @Test
    void aRiseBeyondOneNodeThatNoPartOfAnOperationExplainsIsThatOfAMoreEvenEnd() {
        QueuePoints points = new QueuePoints();
        for (int processes : List.of(36, 48, 60)) {
            Map<QueueMetric, Double> parts =
                    Map.of(QueueMetric.ENQ_ALL, 1000.0 * processes, QueueMetric.DEQ_ALL, 1000.0 * processes);
            double throughput = processes == 48 ? 800_000 : 900_000; // a million while all work
            points.add(new QueuePoint(QueueKind.BD, processes, 200, throughput, parts));
        }
        assertThat(claims(Verdict.DIFFERENT, points))
                .extracting(PaperClaim::why)
                .anyMatch(why -> why.contains("from 48 to 60, no part of an operation gets faster")
                        && why.contains("wait 20 % and 10 % of the time for the slowest one"));
    }

    @Test
    void theReasonOfAMeasuredDifferenceMayBeThatProcessesShareAProcessor() {
        QueuePoints points = points(200, 40, 80, 70);
        Map<QueueMetric, Double> parts = Map.of(
                QueueMetric.ENQ_ALL, 4000.0,
                QueueMetric.ENQ_HOP, 1000.0,
                QueueMetric.DEQ_ALL, 4000.0,
                QueueMetric.DEQ_HOP, 1000.0);
        points.add(new QueuePoint(QueueKind.ND, 2, 200, 30, parts));
        assertThat(new PaperClaims(points, false).all())
                .filteredOn(claim -> claim.ours().startsWith("nd-published is not above bd with 2")
                        || claim.ours().startsWith("with 2 processes, nd spends 25 %"))
                .hasSize(2)
                .allSatisfy(claim -> assertThat(claim.why()).contains("share a processor"));
    }

    @Test
    void thePointOfARunThatATimeEndedHasTheOperationsThatItsProcessesDid() {
        RunTable run = new RunTable(List.of(Map.of("threads", "4", "op_count", "830", "throughput", "27.7")));
        assertThat(QueuePoints.read(run, QueueKind.ND).operations()).isEqualTo(207);
    }

    @Test
    void thePointOfSeveralRunsIsTheirMean() {
        QueuePoints points = points(200, 90);
        points.add(new QueuePoint(QueueKind.BC, 2, 200, 40, Map.of()));
        assertThat(points.find(QueueKind.BC, 2).orElseThrow().throughput()).isEqualTo(30);
        assertThat(points.table(PaperFigures.ofText()).rows())
                .extracting(row -> row.get("queue") + " " + row.get("run"))
                .containsExactly("nd-published 1", "bd 1", "bc 1", "bc 2");
    }
}
