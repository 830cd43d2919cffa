package dev.remus.tools.reproduce.lockfree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.tools.queue.QueueKind;
import dev.remus.tools.queue.QueueMetric;
import java.util.ArrayList;
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

    private static List<PaperClaims.Claim> claims(double... published) {
        List<QueuePoint> points = new ArrayList<>();
        for (int i = 0; i < published.length; i++) {
            points.add(new QueuePoint(QueueKind.ND_PUBLISHED, 2 + 2 * i, 10, published[i], PARTS));
            points.add(new QueuePoint(QueueKind.BD, 2 + 2 * i, 10, 50 - i, Map.of()));
            points.add(new QueuePoint(QueueKind.BC, 2 + 2 * i, 10, 20 - i, Map.of()));
        }
        return new PaperClaims(QueuePoints.of(new QueuePoints(points).table(PaperFigures.ofText())), true).all();
    }

    @Test
    void curvesAsInThePaperAreTheSame() {
        assertThat(claims(90, 80, 70))
                .allSatisfy(claim -> assertThat(claim.holds()).isTrue());
    }

    @Test
    void aCurveThatRisesAndOneBelowAnotherAreDifferencesWithAReason() {
        List<PaperClaims.Claim> different =
                claims(40, 80, 70).stream().filter(claim -> !claim.holds()).toList();
        assertThat(different)
                .extracting(PaperClaims.Claim::ours)
                .containsExactly(
                        "nd-published is not above bd with 2 processes",
                        "nd-published does 40 op/s with 2 processes, 70 with 6; it rises from 2 to 4");
        assertThat(different).allSatisfy(claim -> assertThat(claim.toString()).contains("\nbecause: "));
    }

    @Test
    void theShareOfFindingTheTailOrTheHeadIsThatOfBothKindsOfOperation() {
        assertThat(claims(90, 80))
                .extracting(PaperClaims.Claim::ours)
                .contains("with 4 processes, nd-published spends 75 % of its time finding them, and 25 % announcing");
    }
}
