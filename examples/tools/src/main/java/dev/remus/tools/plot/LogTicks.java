// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Chooses the ticks of a logarithmic axis: the values themselves, round numbers, or powers, as fits. */
final class LogTicks {
    /** More values than this are not marked one by one. */
    private static final int MAX_VALUES = 10;

    private static final int MAX_POWERS_PER_TICK = 5;
    private static final double KIBI = 1024;
    private static final String[] PREFIXES = {"", "Ki", "Mi", "Gi", "Ti"};

    private LogTicks() {}

    /** A tick and its label. */
    record Tick(double value, String label) {}

    /** Sets of ticks, the densest first, of which the first that has room is to be used. */
    static List<List<Tick>> candidates(List<Double> values, boolean isBinary) {
        double smallest = values.stream().mapToDouble(v -> v).min().orElse(1);
        double largest = values.stream().mapToDouble(v -> v).max().orElse(1);
        List<List<Tick>> all = new ArrayList<>();
        List<Double> distinct = values.stream().distinct().sorted().toList();
        boolean isWhole = distinct.stream().allMatch(v -> v == Math.rint(v));
        if (isWhole && distinct.size() <= MAX_VALUES) {
            all.add(ticks(distinct, isBinary));
        }
        if (isBinary) {
            for (int step = 1; step <= MAX_POWERS_PER_TICK; step++) {
                all.add(ticks(powers(smallest, largest, 1 << step), true));
            }
        } else {
            all.add(ticks(multiples(smallest, largest, 1, 2, 3, 4, 5, 6, 7, 8, 9), false));
            all.add(ticks(multiples(smallest, largest, 1, 2, 5), false));
            all.add(ticks(multiples(smallest, largest, 1, 3), false));
            for (int step = 1; step <= MAX_POWERS_PER_TICK; step++) {
                all.add(ticks(powers(smallest, largest, Math.pow(10, step)), false));
            }
        }
        return all;
    }

    private static List<Double> multiples(double smallest, double largest, double... factors) {
        List<Double> multiples = new ArrayList<>();
        for (double power : powers(smallest / 10, largest, 10)) {
            for (double factor : factors) {
                multiples.add(power * factor);
            }
        }
        return multiples;
    }

    private static List<Double> powers(double smallest, double largest, double base) {
        List<Double> powers = new ArrayList<>();
        int first = (int) Math.floor(Math.log(smallest) / Math.log(base) - 1);
        int last = (int) Math.ceil(Math.log(largest) / Math.log(base) + 1);
        for (int exponent = first; exponent <= last; exponent++) {
            powers.add(exponent < 0 ? 1 / Math.pow(base, -exponent) : Math.pow(base, exponent));
        }
        return powers;
    }

    private static List<Tick> ticks(List<Double> values, boolean isBinary) {
        return values.stream()
                .map(value -> new Tick(value, isBinary ? binary(value) : decimal(value)))
                .toList();
    }

    private static String binary(double value) {
        double rest = value;
        int prefix = 0;
        while (rest >= KIBI && prefix < PREFIXES.length - 1) {
            rest /= KIBI;
            prefix++;
        }
        return (decimal(rest) + " " + PREFIXES[prefix]).strip();
    }

    private static String decimal(double value) {
        if (value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        int decimals = value >= 1 ? 2 : (int) Math.ceil(-Math.log10(value)) + 1;
        return String.format(Locale.ROOT, "%." + decimals + "f", value).replaceFirst("\\.?0+$", "");
    }
}
