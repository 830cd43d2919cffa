// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.lists;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.progress.Progress;
import dev.remus.config.AllocationPolicy;
import dev.remus.fabric.CostModel;
import dev.remus.tools.harness.RunLength;
import dev.remus.tools.reproduce.experiment.ExperimentOptions.Where;
import dev.remus.tools.reproduce.experiment.RunExtent;
import dev.remus.tools.reproduce.testbed.Testbeds;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ListTrialTest {
    private static final ListTrial SMALL = new ListTrial(
            "", RunLength.ofOperations(20), ListSeries.LAZY, AllocationPolicy.GLOBAL_RR, 2, 2, 2, 1, 16, 50);

    private static Map<String, Double> run(Where where, ListTrial trial, long seed) throws Exception {
        return trial.run(Testbeds.of(where, CostModel.read("infiniband-fdr")), seed, new Progress());
    }

    @Test
    void onTheModelTheFiguresFollowFromTheSeed() throws Exception {
        Map<String, Double> figures = run(Where.SIM, SMALL, 1);

        assertThat(run(Where.SIM, SMALL, 1)).isEqualTo(figures);
        assertThat(run(Where.SIM, SMALL, 2)).isNotEqualTo(figures);
    }

    @Test
    void aSearchInTheFastListTakesFewerRoundTripsOnEveryFabric() throws Exception {
        for (Where where : new Where[] {Where.SIM, Where.SHM}) {
            ListTrial searches = SMALL.withUpdates(0).withKeys(64);
            double lazy = run(where, searches, 1).getOrDefault(ListFigure.ROUND_TRIPS, 0.0);
            double fast = run(where, searches.with(ListSeries.FAST), 1).getOrDefault(ListFigure.ROUND_TRIPS, 0.0);

            assertThat(fast).as("%s", where).isBetween(lazy / 3, lazy * 2 / 3);
        }
    }

    @Test
    void evenWithManyThreadsEachDoesAtLeast100Operations() {
        for (RunExtent extent : new RunExtent[] {RunExtent.DEFAULT, RunExtent.FULL}) {
            assertThat(new ListPlan(extent, true).trials())
                    .anyMatch(trial -> trial.threads() == 96)
                    .allSatisfy(trial -> assertThat(trial.length().operations()).isGreaterThanOrEqualTo(100));
        }
    }
}
