// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The differences between runs: in the structure, the number of threads, and the options. Runs are named by them. */
final class Differences {
    /** The row of the structures. */
    static final String STRUCTURE = "structure";

    /** The row of the threads of the whole cluster. */
    static final String THREADS = "threads";

    private static final Set<String> NOT_COMPARED = Set.of("--cluster", "--out", "--node-id", "--report");

    /** Options that the structure replaces, or that only follow from others. */
    private static final Set<String> NOT_IN_NAMES = Set.of("--queue", "--set", "--nodes", "busiest");

    private static final String SEED = "--seed";

    private final List<Run> runs;
    private final Map<String, List<String>> values = new LinkedHashMap<>();

    Differences(List<Run> runs) {
        this.runs = List.copyOf(runs);
        add(STRUCTURE, runs.stream().map(Run::subject).toList());
        add(THREADS, runs.stream().map(Differences::threads).toList());
        Set<String> options = new LinkedHashSet<>();
        runs.forEach(run -> options.addAll(run.options().keySet()));
        options.removeAll(NOT_COMPARED);
        for (String option : options) {
            add(
                    option,
                    runs.stream()
                            .map(run -> run.options().getOrDefault(option, ""))
                            .toList());
        }
    }

    private static String threads(Run run) {
        return run.metric("threads").map(Text::number).orElse("");
    }

    private void add(String name, List<String> of) {
        if (of.stream().distinct().count() > 1) {
            values.put(name, of);
        }
    }

    List<Run> runs() {
        return runs;
    }

    /** The values of each run, by structure, threads or option; only of those in which runs differ. */
    Map<String, List<String>> values() {
        return values;
    }

    /** Whether all runs are of one structure, so that one of them can be the best. */
    boolean isOneStructure() {
        return !values.containsKey(STRUCTURE);
    }

    /** The runs by the fewest differences that distinguish them; equal names are numbered. */
    Map<String, Run> named() {
        List<String> names = names(parts());
        Map<String, Run> named = new LinkedHashMap<>();
        for (int i = 0; i < runs.size(); i++) {
            String name = names.get(i).isEmpty() ? runs.get(i).name() : names.get(i);
            String unique = name;
            for (int repetition = 2; named.containsKey(unique); repetition++) {
                unique = name + " (" + repetition + ")";
            }
            named.put(unique, runs.get(i));
        }
        return named;
    }

    /** The differences that names need. Seeds come last: they distinguish repetitions of one run. */
    private List<String> parts() {
        List<String> parts = new ArrayList<>();
        Stream.concat(values.keySet().stream().filter(name -> !name.equals(SEED)), Stream.of(SEED))
                .filter(values::containsKey)
                .filter(name -> !NOT_IN_NAMES.contains(name))
                .forEach(name -> {
                    List<String> more = new ArrayList<>(parts);
                    more.add(name);
                    if (distinct(more) > distinct(parts)) {
                        parts.add(name);
                    }
                });
        return parts;
    }

    private long distinct(List<String> parts) {
        return names(parts).stream().distinct().count();
    }

    private List<String> names(List<String> parts) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < runs.size(); i++) {
            int run = i;
            names.add(String.join(
                    ", ", parts.stream().map(part -> part(part, run)).toList()));
        }
        return names;
    }

    private String part(String name, int run) {
        String value = value(name, run);
        if (name.equals(STRUCTURE)) {
            return value;
        }
        return name.equals(THREADS) ? value + " threads" : name.replaceFirst("^--", "") + " " + value;
    }

    private String value(String name, int run) {
        List<String> of = values.get(name);
        return of == null ? "" : of.get(run);
    }

    /**
     * The difference that a horizontal axis can show: the first whose values are numbers, threads before options.
     *
     * @return empty if runs differ in no number
     */
    Optional<String> axis() {
        return parts().stream()
                .filter(name -> !name.equals(SEED))
                .filter(name -> values.getOrDefault(name, List.of()).stream().allMatch(Differences::isNumber))
                .findFirst();
    }

    private static boolean isNumber(String text) {
        return text.matches("([0-9]+|[0-9]{1,3}(,[0-9]{3})+)(\\.[0-9]+)?");
    }

    /** The name of the line of each run in a chart over {@code axis}: its other differences but the seed. */
    List<String> lines(String axis) {
        return names(parts().stream()
                .filter(name -> !name.equals(axis) && !name.equals(SEED))
                .toList());
    }

    /** The number of a run on {@code axis}. */
    double position(String axis, int run) {
        return Double.parseDouble(value(axis, run).replace(",", ""));
    }
}
