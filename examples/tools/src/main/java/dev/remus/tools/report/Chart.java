package dev.remus.tools.report;

import java.util.List;

/** A chart that can be drawn on a {@link Canvas}. */
interface Chart {
    /** The title, a few words. */
    String label();

    /** The width in pixels. */
    int width();

    /** The height in pixels. */
    int height();

    /** The names of the series, in the order of their colours. */
    List<String> series();

    /** Draws the chart, from the origin to {@link #width} and {@link #height}. */
    void draw(Canvas canvas);
}
