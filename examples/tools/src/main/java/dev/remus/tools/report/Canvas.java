package dev.remus.tools.report;

import java.util.List;

/** A drawing surface for charts: a page or a picture. Coordinates are pixels from the upper left corner. */
interface Canvas {
    /** The position of a text relative to its coordinates. */
    enum Anchor {
        START,
        MIDDLE,
        END
    }

    /** Draws a thin line of the grid. */
    void gridLine(double x1, double y1, double x2, double y2);

    /** Draws the outline of a box, as thin as the grid. */
    void box(double x, double y, double width, double height);

    /** Fills a bar in the colour of a series. */
    void bar(double x, double y, double width, double height, int series);

    /** Draws a line through points, each x and y, in the colour of a series. */
    void path(List<double[]> points, int series);

    /** Draws a dot in the colour of a series. */
    void dot(double x, double y, int series);

    /** Draws a text on a base line. */
    void text(double x, double y, Anchor anchor, String text);
}
