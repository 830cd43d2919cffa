// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.report;

import dev.remus.cli.cluster.ResultsFolder;
import dev.remus.tools.plot.NoFontsException;
import dev.remus.tools.plot.RunTable;
import dev.remus.tools.plot.TableFigure;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Writes the results of a sweep over numbers of threads: {@code sweep.csv}, a page that compares the runs, and figures.
 */
public final class SweepFiles {
    private SweepFiles() {}

    /**
     * Writes them into the folder of the sweep.
     *
     * @param folder has the folders of the runs
     * @param figures the columns to draw by threads
     * @param compared the column by which figures tell runs with equal threads apart, such as {@code queue}
     * @param out gets the names of the page and the folder
     * @param err gets a note if this machine has no fonts for figures
     */
    public static void write(Path folder, List<String> figures, String compared, PrintStream out, PrintStream err)
            throws IOException {
        RunTable table = RunTable.gather(folder);
        table.write(folder.resolve("sweep.csv"));
        Path page = folder.resolve(RunReport.PAGE);
        Comparison.write(Comparison.runsBelow(folder), page);
        try {
            for (String figure : figures) {
                TableFigure.of(table, "threads", figure, Optional.of(compared)).write(folder, figure);
            }
        } catch (NoFontsException e) {
            err.println("note: " + e.getMessage());
        }
        out.println("report: " + ResultsFolder.fromHere(page.toAbsolutePath()));
        out.println("sweep: " + ResultsFolder.fromHere(folder.toAbsolutePath()));
    }
}
