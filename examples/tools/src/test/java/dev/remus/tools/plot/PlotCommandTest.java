// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.options.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("any-jdk")
class PlotCommandTest {
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    @BeforeEach
    void writeTable() throws IOException {
        Files.writeString(
                folder.resolve("runs.csv"),
                "threads,queue,throughput,idle\n2,nd,100000,0\n4,nd,90000,1\n2,bc,50000,2\n");
    }

    private int plot(String... options) {
        List<String> args = new ArrayList<>(List.of(folder.resolve("runs.csv").toString(), "--x", "threads"));
        args.addAll(List.of(options));
        PrintStream out = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        return PlotCommand.run(out, new PrintStream(err, true, StandardCharsets.UTF_8), args.toArray(String[]::new));
    }

    private String out(String name) {
        return folder.resolve(name).toString();
    }

    @Test
    void axesHaveTheNamesAndUnitsOfTheirColumns() throws Exception {
        assertThat(plot("--lines", "queue", "--out", out("a.svg"))).isEqualTo(ExitStatus.OK);
        assertThat(folder.resolve("a.svg"))
                .content(UTF_8)
                .contains(">threads<", ">throughput (thousand op/s)<", ">nd<", ">bc<", ">throughput by threads<");
    }

    @Test
    void optionsSetTitleLabelsSizeAndScale() throws Exception {
        assertThat(plot(
                        "--title=Mine",
                        "--x-label=cores",
                        "--y-label=speed (op/s)",
                        "--width=300",
                        "--height=200",
                        "--font-size=9",
                        "--log-x",
                        "--log-y",
                        "--out",
                        out("a.svg")))
                .isEqualTo(ExitStatus.OK);
        assertThat(folder.resolve("a.svg"))
                .content(UTF_8)
                .contains(">Mine<", ">cores<", ">speed (op/s)<", "width=\"300\"", "height=\"200\"", "\"9px\"")
                .contains(">2<", ">4<");
    }

    @Test
    void anotherEndingIsRefusedAndNoFileIsWritten() {
        assertThat(plot("--out", out("a.gif"))).isEqualTo(UsageException.EXIT_STATUS);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("a file that ends in .svg, .pdf or .png");
        assertThat(folder.resolve("a.gif")).doesNotExist();
    }

    @Test
    void aValueThatALogarithmicAxisCannotShowIsReported() {
        assertThat(plot("--lines=queue", "--y", "idle", "--log-y", "--out", out("a.svg")))
                .isEqualTo(ExitStatus.FAILED);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("'idle' has the value 0.0", "linear");
    }
}
