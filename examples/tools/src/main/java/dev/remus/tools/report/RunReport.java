// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.report;

import dev.remus.cli.cluster.RunRecord;
import dev.remus.tools.plot.Figure;
import dev.remus.tools.plot.NoFontsException;
import dev.remus.tools.results.ProvenanceFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Completes the folder of a run, so that it is self-contained. Beside the {@code metrics.json}, {@code metrics.txt},
 * {@code latency.csv}, {@code latency-over-time.csv} and {@code provenance.json} of the program, it holds
 *
 * <pre>
 *   throughput.csv     operations per second over time, of each node
 *   *.png, *.svg       charts of throughput, latency, remote operations and memory
 *   report.html        all of it on one page
 * </pre>
 */
public final class RunReport {
    /** The name of the page. */
    public static final String PAGE = "report.html";

    /** The measured phase; earlier ones prepare it. */
    private static final String PHASE = "run";

    private RunReport() {}

    /**
     * Writes all these files.
     *
     * @param folder the folder of a run, with its {@code metrics.json} and {@code provenance.json}
     * @param pictures whether to write the charts as pictures too, which takes about a second
     * @return the page
     */
    public static Path complete(Path folder, RunRecord record, boolean pictures) throws IOException {
        write(folder.resolve(Run.THROUGHPUT), Rates.toCsv(Rates.of(record.log().entries(), PHASE)));
        if (pictures) {
            Run run = Run.read(folder);
            try {
                for (Map.Entry<String, Figure> chart :
                        new Charts(Map.of(run.name(), run)).all().entrySet()) {
                    chart.getValue().write(folder.resolve(chart.getKey() + ".png"));
                    chart.getValue().write(folder.resolve(chart.getKey() + ".svg"));
                }
            } catch (NoFontsException e) {
                return page(folder); // which names what is missing
            }
        }
        return page(folder);
    }

    /** Writes only the page, from the files in the folder. */
    static Path page(Path folder) throws IOException {
        Map<String, String> origin = Files.exists(folder.resolve(ProvenanceFile.NAME))
                ? ProvenanceFile.read(folder).facts()
                : Map.of(ProvenanceFile.NAME, "missing: an earlier version of Remus made this folder");
        Path page = folder.resolve(PAGE);
        write(page, new RunPage(Run.read(folder), origin).toHtml());
        return page;
    }

    private static void write(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardCharsets.UTF_8);
    }
}
