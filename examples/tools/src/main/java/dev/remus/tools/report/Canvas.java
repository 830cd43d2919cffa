package dev.remus.tools.report;

import java.util.List;

/** What charts are drawn on: a page or a picture. Coordinates are pixels, from the upper left corner. */
interface Canvas {
    /** Where a text is in relation to its coordinates. */
    enum Anchor {
        START,
        MIDDLE,
        END
    }

    /** A thin line of the grid. */
    void gridLine(double x1, double y1, double x2, double y2);

    /** The outline of a box, as thin as the grid. */
    void box(double x, double y, double width, double height);

    /** A filled bar in the colour of a series. */
    void bar(double x, double y, double width, double height, int series);

    /** A line through points, each x and y, in the colour of a series. */
    void path(List<double[]> points, int series);

    /** A dot in the colour of a series. */
    void dot(double x, double y, int series);

    /** A text on a base line. */
    void text(double x, double y, Anchor anchor, String text);
}
