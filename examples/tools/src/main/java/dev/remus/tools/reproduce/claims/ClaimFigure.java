// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.claims;

import dev.remus.tools.plot.Axis;
import dev.remus.tools.plot.FigureSize;
import dev.remus.tools.plot.TableFigure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A figure over the runs of a {@link TrialTable}.
 *
 * @param name the name of its files, without the ending
 * @param title the text above it
 * @param where the conditions of its runs
 * @param x the condition on the horizontal axis
 * @param across the horizontal axis
 * @param y the figure on the vertical axis
 * @param up the vertical axis
 * @param by the condition with a series for each of its values
 */
public record ClaimFigure(
        String name, String title, Map<String, ?> where, String x, Axis across, String y, Axis up, String by) {
    /** Wide enough for the names of allocation policies. */
    private static final FigureSize SIZE = new FigureSize(840, 520, 14);

    /** Writes it as SVG, PDF and PNG. */
    void write(TrialTable table, String caption, Path folder) throws IOException {
        TableFigure.of(table.runs(where), x, across, y, up, Optional.of(by))
                .title(title)
                .caption(caption)
                .size(SIZE)
                .write(folder, name);
    }
}
