// SPDX-License-Identifier: Apache-2.0
package dev.remus.options;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;

/**
 * The values of all options, given or by default, after a command line was read. Immutable; made by {@link
 * OptionSet#parse}.
 */
public final class Arguments {
    private final OptionTable table;
    private final Map<OptionSpec<?>, Object> values;
    private final Set<String> given;
    private final List<String> rest;
    private final List<String> words;
    private final boolean helpRequested;

    /** {@code values} holds, for each option that has a value, one of the option's own type. */
    Arguments(
            OptionTable table,
            Map<OptionSpec<?>, Object> values,
            Set<String> given,
            List<String> rest,
            List<String> words,
            boolean helpRequested) {
        this.table = table;
        this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        this.given = Set.copyOf(given);
        this.rest = List.copyOf(rest);
        this.words = List.copyOf(words);
        this.helpRequested = helpRequested;
    }

    /**
     * The value of an option.
     *
     * @param spec the very constant that the program included in its {@link OptionSet}
     * @param <T> the type of the value
     * @return the value on the command line, or else the launcher's, or else the default
     * @throws NoSuchElementException if the option has none of these; {@link #find} does not throw it
     * @throws IllegalArgumentException if the option is not part of the program's set
     */
    public <T> T get(OptionSpec<T> spec) {
        return find(spec).orElseThrow(() -> new NoSuchElementException(spec + " has no value and no default"));
    }

    /**
     * The value of an option that may have none.
     *
     * @param spec the very constant that the program included in its {@link OptionSet}
     * @param <T> the type of the value
     * @return empty if the option was not given and has no default
     * @throws IllegalArgumentException if the option is not part of the program's set
     */
    public <T> Optional<T> find(OptionSpec<T> spec) {
        refuseUnknown(spec);
        @SuppressWarnings("unchecked") // the value was made by this option's own type
        T value = (T) values.get(spec);
        return Optional.ofNullable(value);
    }

    /**
     * Whether an option is on the command line itself; a default or a launcher's value does not count.
     *
     * @param spec the very constant that the program included in its {@link OptionSet}
     * @return true if the user wrote it
     * @throws IllegalArgumentException if the option is not part of the program's set
     */
    public boolean isGiven(OptionSpec<?> spec) {
        refuseUnknown(spec);
        return given.contains(spec.name());
    }

    /**
     * The effective configuration as text. {@link OptionSet#parse(Map, String...)} turns it into the same values again.
     *
     * @return the value of each option by its name with two dashes, in the order of the declaration; options without a
     *     value are left out
     */
    public Map<String, String> toMap() {
        Map<String, String> texts = new LinkedHashMap<>();
        for (OptionSpec<?> spec : values.keySet()) {
            String text = format(spec);
            if (!text.isEmpty()) {
                texts.put(spec.name(), text);
            }
        }
        return Collections.unmodifiableMap(texts);
    }

    /**
     * The options that must be the same on all nodes, except those that the framework compares itself.
     *
     * @param others the groups of the exceptions
     * @return the value of each as text by its name; {@code not given} where there is none
     */
    Map<String, String> agreed(List<OptionGroup> others) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (OptionSpec<?> spec : table.specs().values()) {
            if (!spec.isPerNode()
                    && others.stream().noneMatch(group -> group.specs().contains(spec))) {
                String text = format(spec);
                texts.put(spec.name(), text.isEmpty() ? "not given" : text);
            }
        }
        return texts;
    }

    /**
     * The effective configuration as comma-separated values, for the record of an experiment.
     *
     * @return one line {@code name,value} per entry of {@link #toMap}, ended by a line feed; a value with commas or
     *     quotes is quoted as in RFC 4180
     */
    public String toCsv() {
        StringBuilder csv = new StringBuilder();
        toMap().forEach((name, value) ->
                csv.append(name).append(',').append(quoted(value)).append('\n'));
        return csv.toString();
    }

    /**
     * The positional arguments.
     *
     * @return an unmodifiable list in the order of the command line; empty unless the {@link OptionSet} allows them
     */
    public List<String> rest() {
        return rest;
    }

    /**
     * The words of the command line, exactly as they were given.
     *
     * @return an unmodifiable list, without the name of the program and without the defaults of a launcher
     */
    public List<String> words() {
        return words;
    }

    /**
     * Whether the user asks for {@link OptionSet#usage}; required options then have no value.
     *
     * @return true if {@code --help} was given
     */
    public boolean helpRequested() {
        return helpRequested;
    }

    /**
     * Makes the exception for a value that a program rejects by a rule of its own, such as one that contradicts
     * another.
     *
     * @param spec the option to change
     * @param needs what would be accepted, continuing the sentence "needs ..."
     * @return an exception to throw
     * @throws IllegalArgumentException if the option is not part of the program's set
     */
    public UsageException usageError(OptionSpec<?> spec, String needs) {
        refuseUnknown(spec);
        String got = values.containsKey(spec) ? "got '" + format(spec) + "'" : "has no value";
        return table.error(spec.name() + ": " + got + ", needs " + needs);
    }

    /**
     * Makes the exception for a command line that a program rejects as a whole, such as one without a name that it
     * needs.
     *
     * @param message the mistake, and what would be accepted
     * @return an exception to throw
     */
    public UsageException usageError(String message) {
        return table.error(message);
    }

    private <T> String format(OptionSpec<T> spec) {
        return find(spec).map(spec.type()::format).orElse("");
    }

    private void refuseUnknown(OptionSpec<?> spec) {
        // By identity: another option of the same name may have values of another type.
        if (table.specs().get(spec.name()) != spec) {
            throw new IllegalArgumentException("The program does not include this declaration of " + spec);
        }
    }

    private static String quoted(String value) {
        boolean plain = value.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? value : '"' + value.replace("\"", "\"\"") + '"';
    }
}
