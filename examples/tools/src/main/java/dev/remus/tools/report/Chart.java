package dev.remus.tools.report;

import java.util.List;

/** Something that can be drawn. */
interface Chart {
    /** What it shows, in a few words. */
    String label();

    /** Its size in pixels. */
    int width();

    /** Its size in pixels. */
    int height();

    /** What its colours mean, from series 0 on. */
    List<String> series();

    /** Draws it, from the origin to {@link #width} and {@link #height}. */
    void draw(Canvas canvas);
}
