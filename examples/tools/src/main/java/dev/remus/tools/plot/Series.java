// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A named series of points of a {@link Figure}. A name from {@link StyleRegistry} has the same style in all figures.
 */
public final class Series {
    private final String name;
    private final List<Point> points = new ArrayList<>();
    private final Map<String, String> texts = new HashMap<>();
    private String styleName;
    private boolean isReference;

    private Series(String name) {
        this.name = name;
        styleName = name;
    }

    /** An empty series. */
    public static Series of(String name) {
        return new Series(name);
    }

    /** Adds a value that was measured once. */
    public Series point(double x, double y) {
        return point(x, y, 0, 1);
    }

    /** Adds the mean of {@code n} values with their standard deviation. */
    public Series point(double x, double mean, double deviation, int n) {
        return add(new Point(Double.toString(x), mean, deviation, n));
    }

    /** Adds the mean of values with their standard deviation. */
    public Series point(double x, double[] values) {
        return add(Point.of(Double.toString(x), values));
    }

    /** Adds the value of a word, that was measured once. A figure with words has columns instead of lines. */
    public Series point(String word, double y) {
        return point(word, y, 0, 1);
    }

    /** Adds the mean of {@code n} values of a word with their standard deviation. */
    public Series point(String word, double mean, double deviation, int n) {
        return add(new Point(word, mean, deviation, n));
    }

    /** Adds the value of a word, with a text beside its column. */
    public Series point(String word, double y, String text) {
        texts.put(word, text);
        return point(word, y);
    }

    /** Uses the style of another name, such as that of the structure whose part this series shows. */
    public Series styledAs(String other) {
        styleName = other;
        return this;
    }

    /** Draws it with hollow markers and a dotted line, such as numbers from a paper beside one's own. */
    public Series asReference() {
        isReference = true;
        return this;
    }

    Series add(Point point) {
        points.add(point);
        return this;
    }

    String name() {
        return name;
    }

    String styleName() {
        return styleName;
    }

    boolean isReference() {
        return isReference;
    }

    /** The text beside the column of a word; may be empty. */
    String text(String word) {
        return texts.getOrDefault(word, "");
    }

    List<Point> points() {
        return List.copyOf(points);
    }

    /** The point at an x, if there is one. */
    Optional<Point> at(String x) {
        return points.stream().filter(point -> point.x().equals(x)).findFirst();
    }
}
