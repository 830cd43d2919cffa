// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

@Tag("any-jdk")
@Timeout(120)
class FigureTest {
    @TempDir
    private Path folder;

    private static Figure figure() {
        return new Figure(Axis.of("processes"), Axis.of("throughput", Unit.OPERATIONS_PER_SECOND))
                .title("Queues")
                .add(Series.of("nd").point(2, 1.5e6, 1e5, 5).point(6, 1.25e6, 1e5, 5))
                .add(Series.of("bc").point(2, 9e5, 1e5, 5).point(6, 3e5, 1e5, 5));
    }

    private String svg(Figure figure) throws IOException {
        Path file = folder.resolve("figure.svg");
        figure.write(file);
        return Files.readString(file);
    }

    private List<String> texts(Figure figure) throws Exception {
        svg(figure);
        DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        Document svg = builder.parse(folder.resolve("figure.svg").toFile());
        NodeList nodes = svg.getElementsByTagName("text");
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            texts.add(nodes.item(i).getTextContent().strip());
        }
        return texts;
    }

    @Test
    void theTextOfAnSvgIsTextAndAxesHaveNamesAndUnits() throws Exception {
        assertThat(texts(figure()))
                .contains("Queues", "processes", "throughput (million op/s)", "nd", "bc")
                .contains("Mean of n = 5 runs; bars: one standard deviation.");
    }

    @Test
    void theTextOfAPdfIsText() throws Exception {
        figure().write(folder, "figure");
        try (PDDocument pdf = Loader.loadPDF(folder.resolve("figure.pdf").toFile())) {
            assertThat(new PDFTextStripper().getText(pdf)).contains("processes", "nd", "Queues");
        }
    }

    @Test
    void theSameFigureHasTheSameBytes() throws Exception {
        figure().write(folder.resolve("one"), "figure");
        figure().write(folder.resolve("two"), "figure");
        for (String file : List.of("figure.svg", "figure.pdf", "figure.png")) {
            assertThat(folder.resolve("one").resolve(file))
                    .hasSameBinaryContentAs(folder.resolve("two").resolve(file));
        }
    }

    @Test
    void aFileWithAnotherEndingIsRefused() {
        assertThatThrownBy(() -> figure().write(folder.resolve("figure.gif")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("figure.gif must end in .svg, .pdf or .png");
    }

    @Test
    void onlyMeansOfSeveralRunsHaveErrorBars() throws Exception {
        Figure once = new Figure(Axis.of("threads"), Axis.of("round trips"))
                .add(Series.of("nd").point(2, 10).point(6, 12).point(9, 20));
        assertThat(texts(once)).noneMatch(text -> text.contains("n ="));
        Figure mixed = new Figure(Axis.of("threads"), Axis.of("round trips"))
                .add(Series.of("nd").point(2, 10).point(6, 12, 1, 3).point(9, 20));
        assertThat(texts(mixed)).contains("Mean of n = 1 to 3 runs; bars: one standard deviation.");
        assertThat(lines(svg(mixed)) - lines(svg(once))).isEqualTo(3); // the bar and its two ends
    }

    @Test
    void bothEndsOfAnErrorBarAreShown() throws Exception {
        Figure flat = new Figure(Axis.of("threads"), Axis.of("round trips"))
                .add(Series.of("nd").point(2, 90, 14, 2).point(6, 95, 14, 2));
        assertThat(lines(svg(flat))).as("two bars with two ends each").isGreaterThanOrEqualTo(6);
        assertThat(texts(flat)).contains("80");
    }

    @Test
    void aFigureOfZerosIsDrawn() throws Exception {
        Figure zeros = new Figure(Axis.of("threads"), Axis.of("round trips"))
                .add(Series.of("nd").point(2, 0).point(6, 0));
        assertThat(texts(zeros)).contains("round trips", "0", "1").doesNotContain("NaN");
    }

    @Test
    void ticksThatDifferHaveDifferentNumbers() throws Exception {
        Figure close = new Figure(Axis.of("threads"), Axis.of("round trips"))
                .add(Series.of("nd").point(2, 0.0002).point(6, 0.00085));
        assertThat(texts(close)).contains("0.0004", "0.0006");
    }

    @Test
    void aLogarithmicAxisHasNumbersHoweverSmallItsRange() throws Exception {
        Figure close = new Figure(Axis.of("threads"), Axis.of("round trips").logarithmic())
                .add(Series.of("nd").point(2, 5.5).point(6, 9.1));
        assertThat(texts(close)).contains("7");
    }

    private static int lines(String svg) {
        return svg.split("<line ", -1).length - 1;
    }

    private static Figure columns() {
        Figure figure = new Figure(Axis.of("allocation policy"), Axis.of("round trips"));
        for (String name : List.of("nd", "bd")) {
            Series series = Series.of(name);
            for (String word : List.of("GLOBAL-MOD", "GLOBAL-RR", "LOCAL-MOD", "LOCAL-RR", "RAND")) {
                series.point(word, 10);
            }
            figure.add(series);
        }
        return figure;
    }

    @Test
    void columnsAreHatchedSoThatTheyAreToldApartInGrey() throws Exception {
        int white = svg(columns()).split("fill=\"white\"", -1).length - 1;
        assertThat(white).as("in the columns of one of the two series").isGreaterThanOrEqualTo(5);
    }

    @Test
    void noWordBelowAColumnIsCut() throws Exception {
        assertThat(texts(columns())).contains("GLOBAL-MOD", "LOCAL-MOD").noneMatch(text -> text.endsWith("..."));
    }

    @Test
    void aStructureHasTheSameColourInAllFigures() throws Exception {
        Figure alone = new Figure(Axis.of("threads"), Axis.of("round trips"))
                .add(Series.of("bc").point(2, 10));
        String bc = "rgb(204,121,167)";
        assertThat(svg(alone)).contains(bc);
        assertThat(svg(figure())).contains(bc);
        assertThat(StyleRegistry.styles(List.of("mine", "nd", "bc", "yours")))
                .containsEntry("nd", StyleRegistry.styles(List.of("nd")).get("nd"))
                .extractingByKeys("mine", "yours")
                .doesNotHaveDuplicates()
                .doesNotContain(new SeriesStyle(0), new SeriesStyle(3));
    }

    @Test
    void ticksOfALogarithmicAxisAreTheValuesAndNoneMayBeZero() throws Exception {
        Axis threads = Axis.of("threads").logarithmic();
        Figure figure = new Figure(threads, Axis.of("latency", Unit.NANOSECONDS).logarithmic())
                .add(Series.of("nd").point(1, 1500).point(8, 2e5).point(64, 9e6));
        assertThat(texts(figure)).contains("1", "8", "64", "latency (µs)", "1,000");
        Figure zero = new Figure(threads, Axis.of("items")).add(Series.of("nd").point(0, 1));
        assertThatThrownBy(() -> svg(zero)).hasMessageContaining("'threads' has the value 0.0");
    }

    @Test
    void withoutLibrariesForFontsTheMessageNamesThem() {
        assertThatThrownBy(() -> FigureFont.atSize(12, file -> {
                    throw new InternalError("Fontconfig head is null");
                }))
                .isInstanceOf(NoFontsException.class)
                .hasMessageContaining("apt-get install fontconfig");
    }

    @Test
    void wordsThatDoNotFitAreTurnedRatherThanCut() throws Exception {
        Series policies = Series.of("nd");
        for (String policy : List.of("RAND", "GLOBAL-RR", "GLOBAL-MOD", "LOCAL-RR", "LOCAL-MOD", "ANOTHER-POLICY")) {
            policies.point(policy, 7);
        }
        assertThat(texts(new Figure(Axis.of("policy"), Axis.of("throughput")).add(policies)))
                .contains("GLOBAL-MOD", "ANOTHER-POLICY");
    }
}
