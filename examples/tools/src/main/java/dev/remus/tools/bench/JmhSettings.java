// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.options.UsageException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The effort of a measurement.
 *
 * @param forks the number of JVMs that run each benchmark, one after the other
 * @param iterations measured iterations of each fork, after as many warm-up iterations
 * @param millis duration of each iteration
 */
record JmhSettings(int forks, int iterations, int millis) {
    private static final JmhSettings DEFAULTS = new JmhSettings(3, 5, 500);
    private static final JmhSettings QUICK = new JmhSettings(1, 5, 100);

    private static final OptionSpec<Boolean> QUICK_RUN =
            OptionSpec.flag("--quick", "Short: one fork, iterations of 100 ms; too short for comparisons");

    private static final OptionSpec<Long> FORKS = OptionSpec.integer(
                    "--forks", 1, 1000, "Number of JVMs that run each benchmark, one after the other")
            .withDefault((long) DEFAULTS.forks);

    private static final OptionSpec<Long> ITERATIONS = OptionSpec.integer(
                    "--iterations", 1, 1000, "Measured iterations of each JVM, after as many warm-up iterations")
            .withDefault((long) DEFAULTS.iterations);

    private static final OptionSpec<Long> TIME = OptionSpec.integer(
                    "--time", 1, 60_000, "Duration of each iteration in milliseconds")
            .withDefault((long) DEFAULTS.millis);

    private static final OptionSpec<String> FILTER = OptionSpec.text(
            "--filter", "regex", "Measure only the operations whose name in the table matches, such as 'CAS|FAA'");

    /** The JDKs to measure on; by default those that are found. */
    static final OptionSpec<List<String>> JDK = OptionSpec.list(
            "--jdk",
            "path",
            "The JDKs to measure on; by default, for each feature release from 17, the first found among the running"
                    + " JDK, JAVA_HOME and /usr/lib/jvm");

    static OptionGroup group() {
        return new OptionGroup("Measuring", QUICK_RUN, FORKS, ITERATIONS, TIME, FILTER, JDK, RemusOptions.OUT);
    }

    static JmhSettings of(Arguments arguments) {
        JmhSettings defaults = arguments.get(QUICK_RUN) ? QUICK : DEFAULTS;
        return new JmhSettings(
                value(arguments, FORKS, defaults.forks),
                value(arguments, ITERATIONS, defaults.iterations),
                value(arguments, TIME, defaults.millis));
    }

    private static int value(Arguments arguments, OptionSpec<Long> option, int defaultValue) {
        return arguments.isGiven(option) ? Math.toIntExact(arguments.get(option)) : defaultValue;
    }

    /**
     * The operations to measure.
     *
     * @throws UsageException if the filter matches none
     */
    static List<Subject> subjects(Arguments arguments) {
        Optional<String> filter = arguments.find(FILTER);
        if (filter.isEmpty()) {
            return List.of(Subject.values());
        }
        try {
            Pattern pattern = Pattern.compile(filter.get(), Pattern.CASE_INSENSITIVE);
            List<Subject> chosen = Arrays.stream(Subject.values())
                    .filter(subject -> pattern.matcher(subject.title()).find())
                    .toList();
            if (!chosen.isEmpty()) {
                return chosen;
            }
        } catch (PatternSyntaxException e) {
            throw arguments.usageError(FILTER, "a regular expression: " + e.getDescription());
        }
        List<String> titles =
                Arrays.stream(Subject.values()).map(Subject::title).toList();
        throw arguments.usageError(FILTER, "a regular expression that matches part of one of " + titles);
    }

    /** The values, by setting name. */
    Map<String, Integer> toMap() {
        return Map.of("forks", forks, "iterations", iterations, "millis", millis);
    }

    @Override
    public String toString() {
        return forks + (forks == 1 ? " fork, " : " forks, ") + iterations + " iterations of " + millis + " ms";
    }
}
