package dev.remus.tools.queue;

import dev.remus.cli.cluster.ResultsFolder;
import dev.remus.tools.plot.NoFontsException;
import dev.remus.tools.plot.RunTable;
import dev.remus.tools.plot.TableFigure;
import dev.remus.tools.report.Comparison;
import dev.remus.tools.report.RunReport;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Writes the results of a sweep over queues and threads: {@code sweep.csv}, a page that compares the runs, and figures.
 */
final class SweepFiles {
    private static final List<String> FIGURES = List.of("throughput", "micros_per_op");

    private SweepFiles() {}

    /**
     * Writes them into the folder of the sweep.
     *
     * @param folder has the folders of the runs
     * @param out gets the names of the page and the folder
     * @param err gets a note if this machine has no fonts for figures
     */
    static void write(Path folder, PrintStream out, PrintStream err) throws IOException {
        RunTable table = RunTable.gather(folder);
        table.write(folder.resolve("sweep.csv"));
        Path page = folder.resolve(RunReport.PAGE);
        Comparison.write(Comparison.runsBelow(folder), page);
        try {
            for (String figure : FIGURES) {
                TableFigure.of(table, "threads", figure, Optional.of("queue")).write(folder, figure);
            }
        } catch (NoFontsException e) {
            err.println("note: " + e.getMessage());
        }
        out.println("report: " + ResultsFolder.fromHere(page.toAbsolutePath()));
        out.println("sweep: " + ResultsFolder.fromHere(folder.toAbsolutePath()));
    }
}
