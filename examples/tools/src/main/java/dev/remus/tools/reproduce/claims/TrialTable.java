// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.claims;

import dev.remus.tools.plot.RunTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;

/** The figures of runs by their conditions, and the means of runs under equal conditions. */
public final class TrialTable {
    private final List<Trial> trials = new ArrayList<>();

    /**
     * One run.
     *
     * @param conditions what was set, by name
     * @param figures what was measured, by name
     */
    private record Trial(Map<String, String> conditions, Map<String, Double> figures) {
        boolean matches(Map<String, ?> where) {
            return where.entrySet().stream()
                    .allMatch(condition ->
                            String.valueOf(condition.getValue()).equals(conditions.get(condition.getKey())));
        }
    }

    /** Adds a run. */
    public void add(Map<String, ?> conditions, Map<String, Double> figures) {
        Map<String, String> texts = new LinkedHashMap<>();
        conditions.forEach((name, value) -> texts.put(name, String.valueOf(value)));
        trials.add(new Trial(texts, new LinkedHashMap<>(figures)));
    }

    /** The values of a figure in all runs with some conditions. */
    public List<Double> values(String figure, Map<String, ?> where) {
        List<Double> values = new ArrayList<>();
        for (Trial trial : trials) {
            Double value = trial.figures().get(figure);
            if (value != null && trial.matches(where)) {
                values.add(value);
            }
        }
        return values;
    }

    /**
     * The mean of a figure over all runs with some conditions.
     *
     * @throws NoSuchElementException if there is no such run
     */
    public double mean(String figure, Map<String, ?> where) {
        return values(figure, where).stream()
                .mapToDouble(value -> value)
                .average()
                .orElseThrow(() -> new NoSuchElementException("no run with " + figure + " and " + where));
    }

    /** The values of a condition in the runs with some others, in the order in which they ran. */
    public List<String> conditions(String name, Map<String, ?> where) {
        Set<String> values = new LinkedHashSet<>();
        for (Trial trial : trials) {
            if (trial.matches(where)) {
                values.add(trial.conditions().getOrDefault(name, ""));
            }
        }
        return List.copyOf(values);
    }

    /** A row for each run with some conditions. */
    public RunTable runs(Map<String, ?> where) {
        List<Map<String, String>> rows = new ArrayList<>();
        for (Trial trial : trials) {
            if (!trial.matches(where)) {
                continue;
            }
            Map<String, String> row = new LinkedHashMap<>(trial.conditions());
            trial.figures().forEach((name, value) -> row.put(name, String.format(Locale.ROOT, "%.4f", value)));
            rows.add(row);
        }
        return new RunTable(rows);
    }

    /** A table of means for the terminal, with a line for all runs under equal conditions, and their number n. */
    public String toText(Map<String, ?> where) {
        Map<Map<String, String>, List<Trial>> groups = new LinkedHashMap<>();
        Set<String> columns = new LinkedHashSet<>();
        for (Trial trial : trials) {
            if (trial.matches(where)) {
                groups.computeIfAbsent(trial.conditions(), key -> new ArrayList<>())
                        .add(trial);
                columns.addAll(trial.figures().keySet());
            }
        }
        List<List<String>> lines = new ArrayList<>();
        Set<String> varying = varying(groups.keySet());
        List<String> heading = new ArrayList<>(varying);
        heading.add("n");
        heading.addAll(columns);
        lines.add(heading);
        groups.forEach((conditions, runs) -> {
            List<String> line = new ArrayList<>();
            varying.forEach(name -> line.add(conditions.getOrDefault(name, "")));
            line.add(Integer.toString(runs.size()));
            for (String column : columns) {
                line.add(number(runs.stream()
                        .mapToDouble(run -> run.figures().getOrDefault(column, Double.NaN))
                        .average()
                        .orElse(Double.NaN)));
            }
            lines.add(line);
        });
        return aligned(lines);
    }

    /** The conditions that differ between runs. */
    private static Set<String> varying(Set<Map<String, String>> all) {
        Set<String> varying = new LinkedHashSet<>();
        for (Map<String, String> one : all) {
            for (Map<String, String> other : all) {
                one.keySet().stream()
                        .filter(name -> !one.getOrDefault(name, "").equals(other.getOrDefault(name, "")))
                        .forEach(varying::add);
            }
        }
        Set<String> ordered = new LinkedHashSet<>();
        all.forEach(one -> one.keySet().stream().filter(varying::contains).forEach(ordered::add));
        return ordered;
    }

    private static String number(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        return String.format(Locale.ROOT, value >= 1000 ? "%,.0f" : value >= 10 ? "%.1f" : "%.3f", value);
    }

    private static String aligned(List<List<String>> lines) {
        int columns = lines.get(0).size();
        int[] widths = new int[columns];
        for (List<String> line : lines) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> line : lines) {
            StringBuilder row = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                row.append(String.format("%" + widths[i] + "s  ", line.get(i)));
            }
            text.append(row.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
