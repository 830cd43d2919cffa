// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.title.TextTitle;

/**
 * A figure for a paper: series of points over two named axes. Numbers on the horizontal axis give lines, words give
 * columns side by side. Points of more than one run have error bars of one standard deviation, and the figure states
 * the number of runs. Styles are those of {@link StyleRegistry}.
 *
 * <pre>{@code
 * new Figure(Axis.of("processes"), Axis.of("throughput", Unit.OPERATIONS_PER_SECOND))
 *         .title("Queues on the model")
 *         .add(Series.of("nd").point(2, 1.1e6).point(6, 0.9e6, 2e4, 5))
 *         .write(folder, "figure-4"); // .svg, .pdf and .png
 * }</pre>
 *
 * <p>The same figure has the same bytes on each run.
 */
public final class Figure {
    private final Axis x;
    private final Axis y;
    private final List<Series> series = new ArrayList<>();
    private String title = "";
    private String caption = "";
    private FigureSize size = FigureSize.DEFAULT;
    private boolean isHorizontal;
    private boolean isConnected;

    /** An empty figure. */
    public Figure(Axis x, Axis y) {
        this.x = x;
        this.y = y;
    }

    /** Sets the text above the figure; by default none. */
    public Figure title(String text) {
        title = text;
        return this;
    }

    /** Sets a sentence below the figure, before the number of runs; by default none. */
    public Figure caption(String text) {
        caption = text;
        return this;
    }

    /** Sets the size; by default {@link FigureSize#DEFAULT}. */
    public Figure size(FigureSize pixels) {
        size = pixels;
        return this;
    }

    /** Draws the columns of words from left to right, one below the other. */
    public Figure horizontal() {
        isHorizontal = true;
        return this;
    }

    /** Draws lines through the values of words instead of columns. */
    public Figure connected() {
        isConnected = true;
        return this;
    }

    /** Adds a series. Series appear in the legend in the order in which they are added. */
    public Figure add(Series added) {
        series.add(added);
        return this;
    }

    /**
     * Writes the figure as {@code name.svg}, {@code name.pdf} and {@code name.png}.
     *
     * @param folder the folder, made if it does not exist
     * @throws NoFontsException if this Java cannot draw text
     */
    public void write(Path folder, String name) throws IOException {
        Files.createDirectories(folder);
        for (FigureFormat format : FigureFormat.values()) {
            write(folder.resolve(name + format.ending()));
        }
    }

    /**
     * Writes the figure to one file.
     *
     * @param file the file, replaced if it exists; its name ends in {@code .svg}, {@code .pdf} or {@code .png}
     * @throws IllegalArgumentException if the name has another ending, or if a value that is not above 0 is on a
     *     logarithmic axis
     * @throws NoFontsException if this Java cannot draw text
     */
    public void write(Path file) throws IOException {
        FigureFormat format = FigureFormat.of(file);
        format.write(chart(), size, accessibleName(), file);
    }

    /**
     * The figure as an SVG element of a page, without its title and a background.
     *
     * @throws NoFontsException if this Java cannot draw text
     */
    public String toSvg() throws IOException {
        JFreeChart chart = chart();
        chart.setTitle((TextTitle) null);
        chart.setBackgroundPaint(null);
        return SvgEncoder.elementOfPage(chart, size, accessibleName());
    }

    /**
     * Rules of a style sheet that give {@link #toSvg} the colours of a page, dark or light.
     *
     * @param ink the colour of text and axes
     * @param grid the colour of lines behind the data
     * @param paper the colour of the background
     */
    public static String pageStyle(String ink, String grid, String paper) {
        return Ink.pageStyle(ink, grid, paper);
    }

    /** Whether there is nothing to draw. */
    public boolean isEmpty() {
        return content().points().isEmpty();
    }

    /** The text above the figure; may be empty. */
    public String title() {
        return title;
    }

    private String accessibleName() {
        return title.isEmpty() ? y.label() + " by " + x.label() : title;
    }

    private JFreeChart chart() throws IOException {
        return ChartMaker.chart(content(), FigureFont.atSize(size.fontSize()));
    }

    FigureContent content() {
        return new FigureContent(x, y, List.copyOf(series), title, caption, size, isHorizontal, isConnected);
    }
}
