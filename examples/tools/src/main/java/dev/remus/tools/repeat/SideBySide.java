// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.repeat;

import dev.remus.tools.json.JsonInput;
import dev.remus.tools.plot.RunTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The figures of a measurement and of its repetition side by side, with their ratio. The figures of a single run are
 * those of its {@code metrics.json}; those of any other folder are in its CSV files, whose rows are paired by their
 * order. A numeric column that is the same in all rows is no figure, or a figure that needs no ratio.
 */
final class SideBySide {
    private static final String METRICS = "metrics.json";
    private static final String CSV = ".csv";

    /** The figures of a sweep, which has a column for everything that a run measures. */
    private static final List<String> OF_A_SWEEP = List.of("throughput", "micros_per_op");

    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?");
    private static final Pattern INTEGER = Pattern.compile("-?[0-9]{1,18}");

    private final String name;
    private final List<Map<String, String>> then;
    private final List<Map<String, String>> now;

    private SideBySide(String name, RunTable then, RunTable now) {
        this.name = name;
        this.then = then.rows();
        this.now = now.rows();
    }

    /** The figures of two folders as text, with a line for each figure, or a line that states why there are none. */
    static String of(Path then, Path now) throws IOException {
        Map<String, RunTable> before = tables(then);
        Map<String, RunTable> after = tables(now);
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, RunTable> table : before.entrySet()) {
            RunTable other = after.get(table.getKey());
            text.append('\n');
            if (other == null) {
                text.append(table.getKey()).append(": only there then\n");
            } else {
                text.append(new SideBySide(table.getKey(), table.getValue(), other).toText());
            }
        }
        return before.isEmpty() ? "There is no table of figures to compare.\n" : text.toString();
    }

    private static Map<String, RunTable> tables(Path folder) throws IOException {
        if (Files.exists(folder.resolve(METRICS))) {
            return Map.of(METRICS, new RunTable(List.of(metrics(folder.resolve(METRICS)))));
        }
        Map<String, RunTable> tables = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(each -> each.toString().endsWith(CSV)).toList()) {
                tables.put(String.valueOf(file.getFileName()), RunTable.read(file));
            }
        }
        return tables;
    }

    private static Map<String, String> metrics(Path file) throws IOException {
        Map<String, Object> fields = JsonInput.read(file);
        Map<String, String> figures = new LinkedHashMap<>();
        if (fields.get("throughput") instanceof String throughput) {
            figures.put("throughput", throughput);
        }
        if (fields.get("metrics") instanceof Map<?, ?> metrics) {
            metrics.forEach((key, value) -> figures.put(String.valueOf(key), String.valueOf(value)));
        }
        return figures;
    }

    private String toText() {
        if (then.size() != now.size() || then.isEmpty()) {
            return name + ": " + then.size() + " rows then, " + now.size() + " now; they are not compared\n";
        }
        List<String> columns = List.copyOf(then.get(0).keySet());
        List<String> figures = columns.stream().filter(this::isFigure).toList();
        if (figures.isEmpty()) {
            return name + ": the same figures\n";
        }
        List<String> labels = labels(columns, figures);
        List<String[]> lines = new ArrayList<>();
        lines.add(new String[] {name, "figure", "then", "now", "now / then"});
        for (int row = 0; row < then.size(); row++) {
            Map<String, String> values = then.get(row);
            String label = labels.stream()
                    .map(column -> values.getOrDefault(column, ""))
                    .collect(Collectors.joining(", "));
            for (String figure : figures) {
                String before = value(then, row, figure);
                String after = value(now, row, figure);
                lines.add(new String[] {label, figure, shown(before), shown(after), ratio(before, after)});
            }
        }
        return aligned(lines);
    }

    private static String value(List<Map<String, String>> rows, int row, String column) {
        return rows.get(row).getOrDefault(column, "");
    }

    private boolean everyRow(Predicate<Integer> condition) {
        return IntStream.range(0, then.size()).boxed().allMatch(condition);
    }

    private boolean isSame(String column) {
        return everyRow(row -> value(then, row, column).equals(value(now, row, column)));
    }

    private boolean isFigure(String column) {
        boolean isNumeric = everyRow(row -> isNumber(value(then, row, column)) && isNumber(value(now, row, column)));
        if (then.get(0).keySet().containsAll(OF_A_SWEEP) || name.equals(METRICS)) {
            return isNumeric && (name.equals(METRICS) || OF_A_SWEEP.contains(column));
        }
        return isNumeric && !isSame(column);
    }

    private static boolean isNumber(String text) {
        return text.isEmpty() || NUMBER.matcher(text).matches();
    }

    /** The fewest first columns that name a row, of those that are the same in both. */
    private List<String> labels(List<String> columns, List<String> figures) {
        List<String> labels = new ArrayList<>();
        int names = 1;
        for (String column : columns) {
            if (!figures.contains(column) && isSame(column)) {
                labels.add(column);
                int more = names(labels);
                if (more == names) {
                    labels.remove(column);
                }
                names = more;
            }
        }
        return labels;
    }

    private int names(List<String> labels) {
        return new HashSet<>(then.stream()
                        .map(row -> labels.stream()
                                .map(c -> row.getOrDefault(c, ""))
                                .toList())
                        .toList())
                .size();
    }

    private static String shown(String value) {
        if (value.isEmpty() || INTEGER.matcher(value).matches()) {
            return value.isEmpty() ? "-" : String.format(Locale.ROOT, "%,d", Long.parseLong(value));
        }
        double number = Double.parseDouble(value);
        return String.format(Locale.ROOT, Math.abs(number) >= 1000 ? "%,.0f" : "%.3f", number);
    }

    private static String ratio(String then, String now) {
        if (then.isEmpty() || now.isEmpty() || Double.parseDouble(then) == 0) {
            return "-";
        }
        return String.format(Locale.ROOT, "%.3f", Double.parseDouble(now) / Double.parseDouble(then));
    }

    /** Two columns of text and three of numbers. */
    private static String aligned(List<String[]> lines) {
        int[] widths = new int[lines.get(0).length];
        for (String[] line : lines) {
            for (int i = 0; i < line.length; i++) {
                widths[i] = Math.max(widths[i], line[i].length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (String[] line : lines) {
            for (int i = 0; i < line.length; i++) {
                text.append(String.format((i < 2 ? "%-" : "%") + Math.max(1, widths[i]) + "s", line[i]));
                text.append(i == line.length - 1 ? "\n" : "  ");
            }
        }
        return text.toString();
    }
}
