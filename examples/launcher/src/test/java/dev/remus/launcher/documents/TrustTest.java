// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.remus.launcher.documents.Document.Generated;
import dev.remus.tools.plot.RunTable;
import dev.remus.tools.reproduce.lockfree.PaperAndOurs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The figures of TRUST.md come from the commands it names, and its text quotes its tables. */
@Tag("any-jdk")
class TrustTest {
    private static final Pattern LARGE = Pattern.compile("(?<![\\d,.^])\\d{1,3}(?:,\\d{3})+(?![\\d,])");

    private static Document page;

    @TempDir
    private Path folder;

    @BeforeAll
    static void read() throws IOException {
        page = Document.of("framework/TRUST.md");
    }

    private static List<Generated> sweeps() {
        return page.generated().stream()
                .filter(part -> part.command().startsWith("./remus queue --fabric sim"))
                .toList();
    }

    /** Checks the smallest points of the first table; the same command produces the others. */
    @Test
    void theFirstPointsOfTheTableOfQueuesStillHoldWithin2Percent() throws IOException {
        Generated table = sweeps().get(0);
        String command = table.command()
                .replace("./remus ", "")
                .replaceFirst("--sweep \\S+", "--sweep 2")
                .replaceFirst("--queues \\S+", "--queues nd,nd-published");
        Commands.output((command + " --out " + folder).split(" "));
        String again;
        try (Stream<Path> files = Files.walk(folder)) {
            again = Files.readString(
                    files.filter(file -> file.endsWith("sweep.md")).findFirst().orElseThrow());
        }
        List<List<String>> points = Document.table(again);
        assertThat(points).hasSize(2);
        for (List<String> point : points) {
            List<String> row = Document.table(table.text()).stream()
                    .filter(cells -> cells.subList(0, 2).equals(point.subList(0, 2)))
                    .findFirst()
                    .orElseThrow();
            assertThat(number(row, 3))
                    .as("%s: regenerate the table with %s", point, table.command())
                    .isCloseTo(number(point, 3), withinPercentage(2));
        }
    }

    private static double number(List<String> row, int column) {
        return Double.parseDouble(row.get(column).replace(",", ""));
    }

    @Test
    void everyPointOfASweepIsInItsTable() {
        assertThat(sweeps()).isNotEmpty();
        for (Generated sweep : sweeps()) {
            assertThat(page.text().replace(" \\\n    ", " ")).contains("\n" + sweep.command() + "\n");
            int points = 1;
            for (String option : List.of("--sweep", "--queues")) {
                points *= sweep.command()
                        .replaceFirst(".*" + option + " ", "")
                        .split(" ")[0]
                        .split(",")
                        .length;
            }
            assertThat(Document.table(sweep.text())).as(sweep.command()).hasSize(points);
        }
    }

    @Test
    void largeNumbersInTheTextAboutQueuesAreInATableOrACommand() {
        Document section = new Document(page.path(), page.section("## The queues on the model"));
        Set<String> known = new TreeSet<>();
        for (Generated part : section.generated()) {
            Pattern.compile("\\d[\\d,.]*")
                    .matcher(part.command() + " " + part.text())
                    .results()
                    .forEach(number -> known.add(number.group().replaceAll(",", "")));
            for (String word : part.command().split("[ ,]")) {
                known.add(word);
            }
        }
        known.add("1000000"); // round trips by default
        assertThat(LARGE.matcher(section.prose())
                        .results()
                        .map(number -> number.group().replace(",", "")))
                .isNotEmpty()
                .allMatch(known::contains);
    }

    private static Generated paper() {
        return page.generated().stream()
                .filter(part -> part.command().equals("./remus reproduce lock-free-queue"))
                .findFirst()
                .orElseThrow();
    }

    /** The points of the table of the paper's figures, by the names of {@code points.csv}. */
    private static RunTable pointsOfThePaper() {
        List<String> columns = List.of(
                "queue",
                "processes",
                "n",
                "throughput",
                "enq_all_us",
                "enq_hop_us",
                "deq_all_us",
                "deq_hop_us",
                "bcast_all_us");
        List<Map<String, String>> rows = new ArrayList<>();
        for (List<String> cells : Document.table(paper().text())) {
            Map<String, String> row = new LinkedHashMap<>();
            for (int i = 0; i < columns.size(); i++) {
                row.put(columns.get(i), cells.get(i).replaceAll("[`, ]", ""));
            }
            rows.add(row);
        }
        return new RunTable(rows);
    }

    @Test
    void thePaperAndOursPointByPointFollowsFromTheTableOfPoints() {
        assertThat(pointsOfThePaper().rows()).hasSize(44);
        assertThat(paper().text().strip())
                .isEqualTo(
                        new PaperAndOurs(pointsOfThePaper(), true).toMarkdown().strip());
    }

    @Test
    void withOtherSeedsOurQueueIsSlowerOnAverageThanWithFewerProcesses() {
        String command = "./remus reproduce lock-free-queue --queues nd --processes 48,60,72 --runs 3 --seed 2";
        List<List<String>> rows = page.generated().stream()
                .filter(part -> part.command().equals(command))
                .flatMap(part -> Document.table(part.text()).stream())
                .toList();
        assertThat(rows).extracting(row -> row.get(1)).containsExactly("48", "60", "72");
        for (int i = 0; i < rows.size(); i++) {
            List<String> row = rows.get(i);
            assertThat(number(row, 3)).isBetween(number(row, 4), number(row, 5));
            if (i > 0) {
                assertThat(number(row, 3)).isLessThan(number(rows.get(i - 1), 3));
            }
        }
    }

    @Test
    void theEffectOfTheNumberOfOperationsIsComparedWithTheTableOfPoints() throws IOException {
        String reproduce = Document.of("examples/REPRODUCE.md").text();
        List<List<String>> rows =
                Document.table(reproduce.substring(reproduce.indexOf("**The effect of n.**"))).stream()
                        .filter(row -> row.get(1).equals("200"))
                        .toList();
        assertThat(rows).hasSize(4);
        List<String> processes = List.of("2", "12", "24", "36");
        for (List<String> row : rows) {
            for (int i = 0; i < processes.size(); i++) {
                String count = processes.get(i);
                assertThat(pointsOfThePaper().rows())
                        .filteredOn(
                                point -> point.get("queue").equals(row.get(0).replace("`", ""))
                                        && point.get("processes").equals(count))
                        .extracting(point -> point.get("throughput"))
                        .containsExactly(row.get(2 + i).replace(",", ""));
            }
        }
    }

    @Test
    void theFirstPointsOfThePapersFiguresStillHoldWithin2Percent() throws IOException {
        Commands.output("reproduce", "lock-free-queue", "--processes=2", "--out=" + folder);
        try (Stream<Path> files = Files.walk(folder)) {
            Path csv = files.filter(file -> file.endsWith("points.csv"))
                    .findFirst()
                    .orElseThrow();
            for (Map<String, String> again : RunTable.read(csv).rows()) {
                Map<String, String> row = pointsOfThePaper().rows().stream()
                        .filter(point -> point.get("queue").equals(again.get("queue"))
                                && point.get("processes").equals("2"))
                        .findFirst()
                        .orElseThrow();
                assertThat(row.get("n")).isEqualTo(again.get("n"));
                for (String column : List.of("throughput", "enq_all_us", "deq_all_us")) {
                    assertThat(Double.parseDouble(row.get(column)))
                            .as("%s of %s: regenerate the table", column, again)
                            .isCloseTo(Double.parseDouble(again.get(column)), withinPercentage(2));
                }
            }
        }
    }

    @Test
    void theTableOfMutantsAddsUpAndTheTextFollowsFromIt() {
        String section = page.section("## Mutants");
        List<List<Integer>> rows = Document.table(section).stream()
                .map(row -> List.of(number(row.get(1)), number(row.get(2)), number(row.get(5)), number(row.get(6))))
                .toList();
        List<Integer> all = rows.get(rows.size() - 1);
        List<List<Integer>> areas = rows.subList(0, rows.size() - 1);
        for (int i = 0; i < all.size(); i++) {
            int column = i;
            assertThat(areas.stream().mapToInt(row -> row.get(column)).sum()).isEqualTo(all.get(i));
        }
        assertThat(rows)
                .as("mutants are found, change only costs, or are holes")
                .allMatch(row -> row.get(0) == row.get(1) + row.get(2) + row.get(3));
        int ofInterest = all.get(0) - all.get(2);
        assertThat(section)
                .contains(String.format(
                        Locale.ROOT,
                        "**%.1f %% of the %,d that matter are found**",
                        100.0 * all.get(1) / ofInterest,
                        ofInterest));
    }

    private static int number(String text) {
        return Integer.parseInt(text.replace(",", ""));
    }
}
