// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PerftestTest {
    private static final String LATENCY = """
            ---------------------------------------------------------------------------------------
                                RDMA_Read Latency Test
             Dual-port       : OFF          Device         : rxe0
             8 of these are no figures
            ---------------------------------------------------------------------------------------
             #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]
             8       1000          24.91          812.40       33.20              35.12          11.02
            """;

    private static final String RATE = """
             #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]
             8          1000             0.48               0.47                 0.061604
            """;

    @Test
    void theTypicalLatencyIsReadFromPerftestsTable() {
        assertThat(Perftest.figure(LATENCY, 4, 6)).hasValue(33.20);
    }

    @Test
    void theRateOfMessagesIsReadFromPerftestsTable() {
        assertThat(Perftest.figure(RATE, 4, 5)).hasValue(0.061604);
    }

    @Test
    void anOutputWithoutFiguresGivesNone() {
        assertThat(Perftest.figure("Unable to find the Infiniband/RoCE device\n", 4, 6))
                .isEmpty();
    }

    @Test
    void aLatencyIsJudgedByBeingShortAndARateByBeingLarge() {
        assertThat(BesidePerftest.line("READ, µs", "%,12.2f", 33.2, 34.96, true, 0))
                .isEqualTo("READ, µs                          33.20        34.96    1.05  <= 1.1 ok");
        assertThat(BesidePerftest.line("READ, µs", "%,12.2f", 20, 23, true, 0)).endsWith("1.15  <= 1.1 MISS");
        assertThat(BesidePerftest.line("READs", "%,12.0f", 61_604, 53_453, false, 0))
                .isEqualTo("READs                            61,604       53,453    0.87  >= 0.8 ok");
        assertThat(BesidePerftest.line("READs", "%,12.0f", 61_604, 24_886, false, 0))
                .endsWith("MISS");
    }

    @Test
    void aProgramWithoutAFigureAndOneThatIsNotInstalledHaveLinesOfTheirOwn() {
        assertThat(BesidePerftest.noFigure("READ, µs", "ib_read_lat"))
                .isEqualTo("READ, µs                   ib_read_lat printed no figure");
        assertThat(BesidePerftest.notInstalled("READ, µs", "ib_read_lat"))
                .isEqualTo("READ, µs                   perftest is not installed (ib_read_lat)");
    }

    @Test
    void onABusyMachineThereIsNoVerdict() {
        assertThat(BesidePerftest.line("READ, µs", "%,12.2f", 33.2, 34.96, true, 0.2))
                .endsWith("<= 1.1 too busy to judge");
    }
}
