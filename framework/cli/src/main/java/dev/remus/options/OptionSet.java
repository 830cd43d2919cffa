// SPDX-License-Identifier: Apache-2.0
package dev.remus.options;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The command line of one program: its name, its options, its help, and how it is read.
 *
 * <p>Rules of the command line: an option has two dashes and is never abbreviated; its value follows as the next word
 * or after an equals sign; a value that begins with a dash and is not a number needs the equals sign; no option is
 * given twice; everything after a word {@code --} is a positional argument. {@code --help} always exists and
 * suppresses every error.
 *
 * <p>Built once by one thread, for example in a static field; after that any thread may parse.
 */
public final class OptionSet {
    private final OptionTable table;
    private final String summary;
    private final List<String> examples = new ArrayList<>();

    /**
     * A set with no option but {@code --help}.
     *
     * @param program the name of the program, as it is called
     * @param summary what it does, in one line
     */
    public OptionSet(String program, String summary) {
        this.table = new OptionTable(program);
        this.summary = Objects.requireNonNull(summary, "summary");
    }

    /**
     * Adds groups of options, in the order in which the usage text lists them.
     *
     * @return this
     * @throws IllegalArgumentException if an option of the same name exists, which is a mistake in the program
     */
    public OptionSet include(OptionGroup... added) {
        for (OptionGroup group : added) {
            table.include(group);
        }
        return this;
    }

    /**
     * Adds a command line to the end of the usage text.
     *
     * @param commandLine one that works when it is pasted into a shell
     * @return this
     */
    public OptionSet example(String commandLine) {
        examples.add(commandLine);
        return this;
    }

    /**
     * Allows positional arguments, which are rejected otherwise.
     *
     * @param argName their name in the usage text
     * @return this
     */
    public OptionSet allowRest(String argName) {
        table.allowRest(argName);
        return this;
    }

    /**
     * Shows in the usage text that exactly one positional argument is required. The program itself refuses any other
     * number, by a message that says what it needs.
     *
     * @param argName its name in the usage text
     * @return this
     */
    public OptionSet requireOne(String argName) {
        table.requireOne(argName);
        return this;
    }

    /**
     * Makes required options optional in every command line that lacks a certain option. They remain required beside
     * it.
     *
     * @param spec that option; if it is required itself, then no longer
     * @param values their defaults as texts, by name
     * @return this
     * @throws IllegalArgumentException if an option does not exist, which is a mistake in the program
     */
    public OptionSet defaultsWithout(OptionSpec<?> spec, Map<String, String> values) {
        table.defaultsWithout(spec, values);
        return this;
    }

    /**
     * Reads a command line.
     *
     * @param args the words of the command line, without the name of the program
     * @return the values of all options; with {@code --help}, only that and the defaults
     * @throws UsageException if an option is missing, unknown, repeated or has a value that it does not accept
     */
    public Arguments parse(String... args) {
        return parse(Map.of(), args);
    }

    /**
     * Reads a command line to which a launcher contributes defaults, which override the declared ones.
     *
     * @param instead values by the name of the option with its two dashes, {@code true} or {@code false} for a flag
     * @param args the words of the command line, without the name of the program
     * @return the values of all options; with {@code --help}, only that and the defaults
     * @throws UsageException if an option is missing, unknown, repeated or has a value that it does not accept
     * @throws IllegalArgumentException if {@code instead} names an option that does not exist, which is a mistake in
     *     the program
     */
    public Arguments parse(Map<String, String> instead, String... args) {
        table.refuseUnknown(instead);
        if (CommandLineReader.asksForHelp(args)) {
            return new Arguments(table, values(Map.of()), Set.of(), List.of(), List.of(args), true);
        }
        CommandLineReader.Words words = new CommandLineReader(table).read(args);
        Map<String, String> texts = new HashMap<>(table.conditionalDefaults(words.options()));
        texts.putAll(instead);
        texts.putAll(words.options());
        Map<OptionSpec<?>, Object> values = values(texts);
        refuseMissing(values, words.options());
        return new Arguments(table, values, words.options().keySet(), words.rest(), List.of(args), false);
    }

    private Map<OptionSpec<?>, Object> values(Map<String, String> texts) {
        Map<OptionSpec<?>, Object> values = new LinkedHashMap<>();
        for (OptionSpec<?> spec : table.specs().values()) {
            value(spec, texts.get(spec.name())).ifPresent(value -> values.put(spec, value));
        }
        return values;
    }

    private <T> Optional<T> value(OptionSpec<T> spec, @Nullable String text) {
        if (text == null) {
            return spec.defaultValue();
        }
        Optional<T> value = spec.type().parse(text);
        if (value.isEmpty()) {
            throw table.error(spec.complaint(text));
        }
        return value;
    }

    private void refuseMissing(Map<OptionSpec<?>, Object> values, Map<String, String> given) {
        String missing = table.specs().values().stream()
                .filter(spec -> table.isRequired(spec, given) && !values.containsKey(spec))
                .map(spec -> spec.name() + " (" + spec.type().needs() + ")")
                .collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            throw table.error("missing " + missing);
        }
    }

    /**
     * The usage text: what the program does, every option with its default and its range, and the examples. It is as
     * wide as the environment variable {@code COLUMNS}, or else 100 columns.
     *
     * @return lines that end with a line feed
     */
    public String usage() {
        return usage(UsageText.width(System.getenv("COLUMNS")));
    }

    String usage(int width) {
        return new UsageText(table, summary, examples, width).toString();
    }
}
