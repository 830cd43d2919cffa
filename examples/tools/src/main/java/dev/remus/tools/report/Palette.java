package dev.remus.tools.report;

import java.util.List;

/** The colours of charts, on light and on dark backgrounds. Readers with colour blindness can distinguish them. */
final class Palette {
    static final String TEXT = "#3d4650";
    static final String GRID = "#dde2e7";

    private static final List<String> LIGHT =
            List.of("#2563b8", "#d9661f", "#2a8f57", "#8a4fbe", "#b8860b", "#c23b75", "#4a90a4", "#6b7280");
    private static final List<String> DARK =
            List.of("#6ea8fe", "#ff9d5c", "#63c98f", "#c08cf0", "#e0b84c", "#f07fae", "#7fc4d6", "#a0a8b3");

    private Palette() {}

    static String series(int series) {
        return LIGHT.get(series % LIGHT.size());
    }

    /** The colours as variables of a style sheet, {@code --c0} and so on. */
    static String variables(boolean dark) {
        List<String> colours = dark ? DARK : LIGHT;
        StringBuilder css = new StringBuilder();
        for (int i = 0; i < colours.size(); i++) {
            css.append("--c").append(i).append(": ").append(colours.get(i)).append("; ");
        }
        return css.toString().strip();
    }
}
