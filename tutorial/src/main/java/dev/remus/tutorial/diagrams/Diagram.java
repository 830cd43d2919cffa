// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.diagrams;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A picture drawn from a text with one shape per line; lengths are in pixels, y grows downwards, and # begins a comment
 * line.
 *
 * <pre>
 * size 640 200                          of the picture; the first line
 * title "What it shows"                 for those who cannot see it
 * box 20 40 120 48 memory "Node 0|id 0" x, y, width, height, kind, lines of text
 * text 20 30 left "Any text"            x, y of the base line, left, middle or right of x
 * small 20 30 left "Any text"           the same in small grey letters
 * code 20 30 left "Any text"            the same in letters of one width
 * arrow 20 80 200 80                    from, to
 * dashed 20 80 200 80                   the same, dashed
 * bend 20 80 200 80 -40                 from, to, how far it bends down
 * line 20 80 200 80                     without a point
 * </pre>
 *
 * <p>The kinds of boxes are those of {@link #KINDS}. The same text gives the same bytes everywhere.
 */
public final class Diagram {
    /** The colours of each kind of box: fill and border. */
    private static final Map<String, String[]> KINDS = new TreeMap<>(Map.of(
            "plain", new String[] {"#ffffff", "#475569"},
            "memory", new String[] {"#dbeafe", "#1d4ed8"},
            "compute", new String[] {"#dcfce7", "#15803d"},
            "both", new String[] {"#ede9fe", "#6d28d9"},
            "key", new String[] {"#fef3c7", "#b45309"},
            "gone", new String[] {"#f1f5f9", "#94a3b8"},
            "busy", new String[] {"#fee2e2", "#b91c1c"}));

    private static final Pattern SHAPE = Pattern.compile("(\\w+)((?: -?\\d+)*)(?: ([a-z]+))?(?: \"(.*)\")?");
    private static final int LINE = 17;

    private final List<String> shapes = new ArrayList<>();
    private String title = "";
    private int width;
    private int height;

    private Diagram() {}

    /**
     * Reads a text.
     *
     * @throws IllegalArgumentException with the line that is no shape
     */
    public static Diagram parse(String text) {
        Diagram diagram = new Diagram();
        for (String line : text.lines().toList()) {
            if (!line.isBlank() && !line.startsWith("#")) {
                diagram.add(line);
            }
        }
        return diagram;
    }

    private void add(String line) {
        Matcher shape = SHAPE.matcher(line);
        if (!shape.matches()) {
            throw new IllegalArgumentException("no shape: " + line);
        }
        int[] n = Pattern.compile(" ")
                .splitAsStream(shape.group(2).strip())
                .filter(word -> !word.isEmpty())
                .mapToInt(Integer::parseInt)
                .toArray();
        String word = shape.group(3);
        String text = shape.group(4) == null ? "" : shape.group(4);
        try {
            switch (shape.group(1)) {
                case "size" -> {
                    width = n[0];
                    height = n[1];
                }
                case "title" -> title = text;
                case "box" -> box(n, word, text);
                case "text", "small", "code" -> text(n[0], n[1], shape.group(1), word, text);
                case "arrow" -> path("M%d %dL%d %d".formatted(n[0], n[1], n[2], n[3]), " marker-end=\"url(#point)\"");
                case "dashed" ->
                    path(
                            "M%d %dL%d %d".formatted(n[0], n[1], n[2], n[3]),
                            " stroke-dasharray=\"5 4\" marker-end=\"url(#point)\"");
                case "bend" ->
                    path(
                            "M%d %dQ%d %d %d %d"
                                    .formatted(n[0], n[1], (n[0] + n[2]) / 2, (n[1] + n[3]) / 2 + 2 * n[4], n[2], n[3]),
                            " marker-end=\"url(#point)\"");
                case "line" -> path("M%d %dL%d %d".formatted(n[0], n[1], n[2], n[3]), "");
                default -> throw new IllegalArgumentException("no shape: " + line);
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            throw new IllegalArgumentException("too few numbers: " + line, e);
        }
    }

    private void box(int[] n, String kind, String text) {
        String[] colours = KINDS.get(String.valueOf(kind));
        if (colours == null) {
            throw new IllegalArgumentException("a box of the kind '" + kind + "': there are " + KINDS.keySet());
        }
        shapes.add("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\" fill=\"%s\" stroke=\"%s\"/>"
                .formatted(n[0], n[1], n[2], n[3], colours[0], colours[1]));
        String[] lines = text.split("\\|");
        int y = n[1] + n[3] / 2 + 5 - (lines.length - 1) * LINE / 2;
        for (int i = 0; i < lines.length; i++) {
            if (!lines[i].isEmpty()) {
                text(n[0] + n[2] / 2, y + i * LINE, i == 0 ? "text" : "small", "middle", lines[i]);
            }
        }
    }

    private void text(int x, int y, String style, String side, String text) {
        String anchor = switch (String.valueOf(side)) {
            case "left" -> "start";
            case "middle" -> "middle";
            case "right" -> "end";
            default -> throw new IllegalArgumentException("'" + side + "' is not left, middle or right");
        };
        shapes.add("<text x=\"%d\" y=\"%d\" class=\"%s\" text-anchor=\"%s\">%s</text>"
                .formatted(x, y, style, anchor, escape(text)));
    }

    private void path(String d, String more) {
        shapes.add("<path d=\"" + d + "\" class=\"line\"" + more + "/>");
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    /** The picture, on white, so that it can be seen on any page. */
    public String toSvg() {
        StringBuilder svg = new StringBuilder();
        svg.append(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\">\n"
                        .formatted(width, height, width, height));
        svg.append("<title>").append(escape(title)).append("</title>\n");
        svg.append("""
                <style>
                text { font-family: system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; font-size: 14px; fill: #0f172a }
                .small { font-size: 12px; fill: #475569 }
                .code { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 13px }
                .line { fill: none; stroke: #334155; stroke-width: 1.5 }
                </style>
                <defs><marker id="point" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">\
                <path d="M0 0L10 5L0 10z" fill="#334155"/></marker></defs>
                """);
        svg.append("<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#ffffff\"/>\n".formatted(width, height));
        shapes.forEach(shape -> svg.append(shape).append('\n'));
        return svg.append("</svg>\n").toString();
    }
}
