// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.repeat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SideBySideTest {
    @TempDir
    private Path folder;

    private Path then;
    private Path now;

    @BeforeEach
    void makeFolders() throws IOException {
        then = Files.createDirectory(folder.resolve("then"));
        now = Files.createDirectory(folder.resolve("now"));
    }

    private void csv(String name, String before, String after) throws IOException {
        Files.writeString(then.resolve(name), before);
        Files.writeString(now.resolve(name), after);
    }

    @Test
    void eachRowAndFigureHasALineWithTheRatio() throws IOException {
        csv(
                "bandwidth.csv",
                "operation,bytes,MB\nREAD,8,100\nREAD,64,2000.25\nWRITE,8,0\n",
                "operation,bytes,MB\nREAD,8,150\nREAD,64,1000.125\nWRITE,8,3\n");
        assertThat(SideBySide.of(then, now)).isEqualTo("""

                        bandwidth.csv  figure   then    now  now / then
                        READ, 8        MB        100    150       1.500
                        READ, 64       MB      2,000  1,000       0.500
                        WRITE, 8       MB          0      3           -
                        """);
    }

    @Test
    void theFiguresOfARunAreThoseOfItsMetrics() throws IOException {
        csv(
                "metrics.json",
                "{\"throughput\": 10, \"metrics\": {\"cas\": 4}}",
                "{\"throughput\": 5, \"metrics\": {\"cas\": 4}}");
        csv("latency.csv", "x\n1\n", "x\n2\n");
        assertThat(SideBySide.of(then, now))
                .containsPattern("throughput +10 +5 +0.500\n")
                .containsPattern("cas +4 +4 +1.000\n")
                .doesNotContain("latency.csv");
    }

    @Test
    void aSweepHasItsTwoFiguresForEachRunEvenIfTheyAreTheSame() throws IOException {
        String sweep = "run,finished,queue,threads,throughput,micros_per_op,cas\n";
        csv(
                "sweep.csv",
                sweep + "a/1,x,nd,2,10,1,5\na/2,y,bd,2,20,1,7\n",
                sweep + "b/1,z,nd,2,10,1,6\nb/2,z,bd,2,30,1,7\n");
        assertThat(SideBySide.of(then, now))
                .containsPattern("nd +throughput +10 +10 +1.000\n")
                .containsPattern("bd +throughput +20 +30 +1.500\n")
                .containsPattern("bd +micros_per_op +1 +1 +1.000\n")
                .doesNotContain("cas");
    }

    @Test
    void tablesThatDoNotMatchAreNamed() throws IOException {
        csv("a.csv", "x,y\n1,2\n", "x,y\n1,2\n3,4\n");
        csv("b.csv", "x,y\n1,2\n", "x,y\n1,2\n");
        Files.writeString(then.resolve("c.csv"), "x\n1\n");
        assertThat(SideBySide.of(then, now))
                .contains("a.csv: 1 rows then, 2 now; they are not compared")
                .contains("b.csv: the same figures")
                .contains("c.csv: only there then");
    }
}
