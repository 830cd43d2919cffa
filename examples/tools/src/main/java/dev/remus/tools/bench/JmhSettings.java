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
 * How long is measured.
 *
 * @param forks how many Java VMs run each benchmark, one after the other
 * @param iterations how many times each of them measures, and as many times before it warms up
 * @param millis how long each iteration takes
 */
record JmhSettings(int forks, int iterations, int millis) {
    private static final JmhSettings USUAL = new JmhSettings(3, 5, 500);
    private static final JmhSettings QUICK = new JmhSettings(1, 5, 100);

    private static final OptionSpec<Boolean> SHORT =
            OptionSpec.flag("--quick", "Short: one fork, iterations of 100 ms; for a look, not for comparing");

    private static final OptionSpec<Long> FORKS = OptionSpec.integer(
                    "--forks", 1, 1000, "How many Java VMs run each benchmark, one after the other")
            .withDefault((long) USUAL.forks);

    private static final OptionSpec<Long> ITERATIONS = OptionSpec.integer(
                    "--iterations", 1, 1000, "How many times each of them measures, after warming up as many times")
            .withDefault((long) USUAL.iterations);

    private static final OptionSpec<Long> TIME = OptionSpec.integer(
                    "--time", 1, 60_000, "How many milliseconds each iteration takes")
            .withDefault((long) USUAL.millis);

    private static final OptionSpec<String> FILTER = OptionSpec.text(
            "--filter", "regex", "Measure only what has this in its name in the table, such as 'CAS|FAA'");

    /** The Javas to measure on; by default those that are found. */
    static final OptionSpec<List<String>> JDK = OptionSpec.list(
            "--jdk",
            "path",
            "The Javas to measure on; by default, of each feature release from 17 on, the first that is found: the running"
                    + " one, JAVA_HOME, /usr/lib/jvm");

    static OptionGroup group() {
        return new OptionGroup("Measuring", SHORT, FORKS, ITERATIONS, TIME, FILTER, JDK, RemusOptions.OUT);
    }

    static JmhSettings of(Arguments arguments) {
        JmhSettings defaults = arguments.get(SHORT) ? QUICK : USUAL;
        return new JmhSettings(
                value(arguments, FORKS, defaults.forks),
                value(arguments, ITERATIONS, defaults.iterations),
                value(arguments, TIME, defaults.millis));
    }

    private static int value(Arguments arguments, OptionSpec<Long> option, int otherwise) {
        return arguments.isGiven(option) ? Math.toIntExact(arguments.get(option)) : otherwise;
    }

    /**
     * What is to be measured.
     *
     * @throws UsageException if that is nothing
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
        throw arguments.usageError(FILTER, "a regular expression that is found in one of " + titles);
    }

    /** By the names of the options. */
    Map<String, Integer> toMap() {
        return Map.of("forks", forks, "iterations", iterations, "millis", millis);
    }

    @Override
    public String toString() {
        return forks + (forks == 1 ? " fork, " : " forks, ") + iterations + " iterations of " + millis + " ms";
    }
}
