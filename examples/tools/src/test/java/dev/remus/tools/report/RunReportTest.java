// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.RunRecord;
import dev.remus.cli.progress.ProgressLog;
import dev.remus.tools.results.Provenance;
import dev.remus.tools.results.ProvenanceFile;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
@Tag("any-jdk")
class RunReportTest {
    private static final RunRecord RECORD =
            new RunRecord(Instant.now(), List.of("intset", "--set", "a 'b'"), List.of("-Xmx256m"), new ProgressLog());

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private Path run(String name, long operationsPerSecond, boolean balanced) throws Exception {
        Path run = Files.createDirectories(folder.resolve(name));
        Files.writeString(run.resolve("metrics.json"), """
                {"finished": "2026-01-02T03:04:05.678Z", "set": "a.b.Set<Long>", "seed": 7, "threads": 4,
                 "metrics": {"duration": 2000000, "op_count": 1000, "read": 5000, "write": 250, "cas": 1000, "faa": 0, "round_trips": 6000},
                 "throughput": %d, "books": {"prefilled": 1, "inserted": 2, "removed": 3, "expected": 0, "found": 0, "balanced": %b},
                 "segments": [{"memory_node": 0, "segment": 1, "used": 524288, "bytes": 1048576}],
                 "options": {"--key-ub": "%s", "--seed": "7"}}
                """.formatted(operationsPerSecond, balanced, name));
        Files.writeString(
                run.resolve("latency.csv"),
                "operation,percentile,nanoseconds\ninsert,50,8500\ninsert,99,70000\nremove,50,8400\nremove,99,71000\n");
        ProvenanceFile.write(Provenance.of(RECORD), run);
        return run;
    }

    private int report(String... args) {
        return ReportCommand.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
    }

    private static void assertSelfContained(String page) {
        assertThat(page)
                .startsWith("<!doctype html>")
                .contains("prefers-color-scheme: dark", "width=device-width", "</html>")
                .doesNotContain("http", "<script", " src=", "@import", "url(");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "metrics.json | {\"metrics\": {\"cas\": 7",
                "metrics.json | {\"metrics\": {\"cas\": \"many\"}}",
                "metrics.json | {\"segments\": [{\"used\": 1}]}",
                "throughput.csv | seconds,node",
                "latency.csv | operation,percentile",
                "latency-over-time.csv | seconds,p50_ns",
            })
    void aDamagedFileOfARunIsNamedInAnError(String name, String text) throws Exception {
        Path file = run("r", 500, true).resolve(name);
        Files.writeString(file, text + "\n" + (name.endsWith("csv") ? "one,two\n" : ""));
        assertThat(report(folder.resolve("r").toString())).isEqualTo(ExitStatus.FAILED);
        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("remus report: " + file + " is damaged: ");
    }

    @Test
    void thePageOfARunIsSelfContainedAndShowsAllFourCharts() throws Exception {
        Path page = RunReport.complete(run("r", 500, true), RECORD, false);
        String html = Files.readString(page);
        assertSelfContained(html);
        assertThat(html)
                .contains("Set&lt;Long&gt;", "<b>500</b>", "balanced", "Latency by percentile")
                .contains("Remote operations per operation", ">5</text>", ">0.250</text>", ">6</text>")
                .contains(
                        "Memory allocated in each segment, including freed blocks",
                        "512 KiB of 1 MiB",
                        "A segment that is 100 % used is no fault: freed blocks are allocated again.",
                        "too short for throughput and latency over time: nodes report four times a second")
                .contains("./remus intset --set 'a '\\''b'\\'''")
                .contains("<code>processors</code>", "<code>Java options</code>", "-Xmx256m", "./remus repeat FOLDER")
                .doesNotContain("NOT BALANCED");
    }

    @Test
    void thePageOfAFolderOfAnEarlierVersionStatesThatItsOriginIsMissing() throws Exception {
        Path run = run("r", 500, true);
        Files.delete(run.resolve(ProvenanceFile.NAME));
        assertThat(report(run.toString())).isZero();
        assertThat(Files.readString(run.resolve("report.html")))
                .contains("an earlier version of Remus made this folder");
    }

    @Test
    void aDamagedOriginIsReportedInOneLine() throws Exception {
        Path run = run("r", 500, true);
        Files.writeString(run.resolve(ProvenanceFile.NAME), "{\"format\": 1");
        assertThat(report(run.toString())).isEqualTo(ExitStatus.FAILED);
        assertThat(err.toString(StandardCharsets.UTF_8)).hasLineCount(1).contains("provenance.json is damaged");
    }

    @Test
    void aRunThatDoesNotBalanceIsReported() throws Exception {
        assertThat(Files.readString(RunReport.complete(run("r", 500, false), RECORD, false)))
                .contains("NOT BALANCED");
    }

    @Test
    void theVerdictOfAQueueIsPrintedOnce() throws Exception {
        Path run = Files.createDirectories(folder.resolve("q"));
        Files.writeString(
                run.resolve("metrics.json"),
                "{\"queue\": \"nd\", \"metrics\": {\"balanced\": 1}, \"books\": \"1 enqueued = 1 dequeued + 0 left: balanced\"}");
        assertThat(Files.readString(RunReport.page(run)))
                .contains("dequeued + 0 left: <span class=\"good\">balanced</span>");
    }

    @Test
    void theThroughputOverTimeIsInTheFolderAndOnThePage() throws Exception {
        Path run = run("r", 500, true);
        Files.writeString(run.resolve("throughput.csv"), "seconds,node,throughput\n0.5,1,100\n1.0,1,300\n1.5,1,200\n");
        assertThat(Files.readString(RunReport.page(run))).contains("Operations per second over time", ">300</text>");
    }

    @Test
    void theMedianAndTheTailOverTimeAreOnThePageOfARunAndTheTailsOnThatOfSeveral() throws Exception {
        String header = "seconds,operations,p50_ns,p99_ns\n";
        Path one = run("one", 500, true);
        Files.writeString(one.resolve("latency-over-time.csv"), header + "0.1,10,2000,4000\n0.4,7,3000,90000\n");
        Path two = run("two", 500, true);
        Files.writeString(two.resolve("latency-over-time.csv"), header + "0.1,10,2000,4000\n0.4,7,3000,80000\n");
        assertThat(Files.readString(RunReport.page(one)))
                .contains(">Latency over time<", ">median<", ">99th percentile<", ">latency (µs)<", ">100</text>");
        assertThat(compared())
                .contains(">99th percentile of the latency over time<")
                .doesNotContain(">median<");
    }

    @Test
    void theKindsOfOperationsHaveLinesOfTheirOwnOverTimeOnThePageOfARun() throws Exception {
        String rows = "all,0.1,10,2000,4000\nall,0.4,7,3000,90000\nget,0.1,9,2000,4000\nget,0.4,6,3000,70000\n"
                + "put,0.1,1,2500,5000\nput,0.4,1,3500,90000\n";
        String header = "operation,seconds,operations,p50_ns,p99_ns\n";
        Path one = run("one", 500, true);
        Files.writeString(one.resolve("latency-over-time.csv"), header + rows);
        Files.writeString(run("two", 500, true).resolve("latency-over-time.csv"), header + rows);
        assertThat(Files.readString(RunReport.page(one)))
                .contains(">get, median<", ">get, 99th percentile<", ">put, median<", ">put, 99th percentile<")
                .doesNotContain(">median<");
        assertThat(compared()).contains(">one<").doesNotContain(">get, ");
    }

    @Test
    void aRunOfOneIntervalHasNoLatencyOverTime() throws Exception {
        Path run = run("r", 500, true);
        Files.writeString(
                run.resolve("latency-over-time.csv"), "seconds,operations,p50_ns,p99_ns\n0.134,1000,2000,4000\n");
        assertThat(Files.readString(RunReport.page(run))).doesNotContain("Latency over time");
    }

    @Test
    void thePicturesArePngAndSvgFilesThatProgramsRead() throws Exception {
        Path run = run("r", 500, true);
        RunReport.complete(run, RECORD, true);
        for (String name : List.of("latency", "remote", "memory")) {
            BufferedImage png = ImageIO.read(run.resolve(name + ".png").toFile());
            assertThat(png.getWidth()).isGreaterThan(800);
            assertThat(DocumentBuilderFactory.newInstance()
                            .newDocumentBuilder()
                            .parse(run.resolve(name + ".svg").toFile())
                            .getElementsByTagName("text")
                            .getLength())
                    .isGreaterThan(1);
        }
    }

    @Test
    void severalRunsAreComparedByTheirDifferencesAndTheBestIsMarked() throws Exception {
        run("one", 500, true);
        run("two", 700, true);
        Path page = folder.resolve("pages/all.html");
        assertThat(report(folder.toString(), "--out", page.toString())).isZero();
        String html = Files.readString(page);
        assertSelfContained(html);
        assertThat(html)
                .contains("2 runs compared", "--key-ub", "<td class=\"n best\">700</td>", "<td class=\"n\">500</td>")
                .doesNotContain("--seed");
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("report: " + page);
    }

    private String queueRun(String folderName, String queue, int threads, int trips) throws Exception {
        Path run = Files.createDirectories(folder.resolve(folderName));
        Files.writeString(
                run.resolve("metrics.json"), """
                {"queue": "%s", "seed": 7, "threads": %d, "metrics": {"duration": 2000000, "op_count": 1000,
                 "round_trips": %d, "balanced": 1}, "throughput": 500,
                 "segments": [{"memory_node": 0, "segment": 1, "used": 524288, "bytes": 1048576}],
                 "options": {"--queue": "%s", "--cn-threads": "%d", "--out": "%s"}}
                """.formatted(queue, threads, trips, queue, threads, folderName));
        return folderName;
    }

    private String compared() throws Exception {
        Path page = folder.resolve("all.html");
        assertThat(report(folder.toString(), "--out", page.toString())).isZero();
        String html = Files.readString(page);
        assertSelfContained(html);
        return html;
    }

    @Test
    void runsAreNamedByTheirDifferencesAndNoneOfThemIsDropped() throws Exception {
        for (int threads = 1; threads <= 12; threads++) {
            queueRun("queue-20260102-0304" + threads, "nd", threads, 6000);
        }
        String html = compared();
        for (int threads = 1; threads <= 12; threads++) {
            assertThat(html)
                    .contains(">" + threads + " threads<", ">" + threads + " threads, node 0, segment 1<")
                    .contains("<td class=\"n\">queue-20260102-0304" + threads + "</td>");
        }
        assertThat(html).contains("shown for at most 6 runs");
    }

    @Test
    void theCurvesComeFirst() throws Exception {
        queueRun("a", "nd", 2, 6000);
        queueRun("b", "nd", 4, 7000);
        queueRun("c", "bc", 2, 8000);
        queueRun("d", "bc", 4, 9000);
        String html = compared();
        assertThat(html).contains("round trips per operation by threads", ">nd, 2 threads<", ">bc, 4 threads<");
        assertThat(html.indexOf("throughput by threads")).isLessThan(html.indexOf("<table>"));
    }

    @Test
    void noValueIsTheBestAmongDifferentStructures() throws Exception {
        queueRun("a", "nd", 2, 6000);
        queueRun("b", "bc", 2, 7000);
        assertThat(compared()).contains("no value is marked as the best").doesNotContain("class=\"n best\"");
    }

    @Test
    void aPartOfARunIsNotAudited() throws Exception {
        Path run = Files.createDirectories(folder.resolve("q"));
        Files.writeString(
                run.resolve("metrics.json"),
                "{\"queue\": \"nd\", \"metrics\": {}, \"books\": \"a part of a run: 1 enqueued, 1 dequeued\"}");
        assertThat(Files.readString(RunReport.page(run)))
                .contains("not audited")
                .doesNotContain("NOT BALANCED");
    }

    @Test
    void aSingleRunGetsItsOwnPageInItsFolder() throws Exception {
        Path run = run("one", 500, true);
        assertThat(report(run.toString())).isZero();
        assertThat(run.resolve("report.html")).exists();
    }

    @Test
    void aFolderWithoutARunIsRefusedByName() {
        assertThat(report(folder.toString())).isEqualTo(ExitStatus.NOT_STARTED);
        assertThat(report()).isEqualTo(ExitStatus.NOT_STARTED);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains(folder + " is not a folder with the metrics.json of a run", "needs folders");
    }
}
