// SPDX-License-Identifier: Apache-2.0
package dev.remus.options;

import dev.remus.config.Agreement;
import dev.remus.config.Setting;
import dev.remus.config.Suggestion;
import dev.remus.config.ValueType;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One option of the command line, declared once: its name, its values, its help, and its default. It is also the key by
 * which {@link Arguments#get} returns the value with its type.
 *
 * <p>Immutable. {@link #withDefault}, {@link #withHelp}, {@link #required} and {@link #perNode} return copies, so a
 * program keeps the result of the whole chain in one constant.
 *
 * <p>Names have two dashes and lower-case words joined by single dashes; other names are rejected.
 *
 * @param <T> the type of the value
 */
public final class OptionSpec<T> {
    private static final Pattern NAME = Pattern.compile("--[a-z][a-z0-9]*(-[a-z0-9]+)*");

    private final String name;
    private final String help;
    private final ValueType<T> type;
    private final Optional<T> defaultValue;
    private final boolean required;
    private final boolean perNode;

    private OptionSpec(
            String name, String help, ValueType<T> type, Optional<T> defaultValue, boolean required, boolean perNode) {
        this.name = Objects.requireNonNull(name, "name");
        this.help = Objects.requireNonNull(help, "help");
        this.type = type;
        this.defaultValue = defaultValue;
        this.required = required;
        this.perNode = perNode;
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "The option name '" + name + "' needs two dashes and lower-case words joined by single dashes");
        }
    }

    /**
     * An option that takes a whole number from {@code min} to {@code max}, without a default. {@link Long#MAX_VALUE}
     * stands for no limit.
     *
     * @throws IllegalArgumentException if the name is malformed or the range empty
     */
    public static OptionSpec<Long> integer(String name, long min, long max, String help) {
        return of(name, help, ValueType.integer(min, max));
    }

    /** An option that takes a text that is not blank, without a default. The help calls the text {@code argName}. */
    public static OptionSpec<String> text(String name, String argName, String help) {
        return of(name, help, ValueType.text(argName));
    }

    /** An option that takes an enum constant, by the name that its {@code toString()} returns, without a default. */
    public static <E extends Enum<E>> OptionSpec<E> choice(String name, Class<E> choices, String help) {
        return of(name, help, ValueType.choice(choices));
    }

    /** An option without a value, which is true if it is given, and else false. */
    public static OptionSpec<Boolean> flag(String name, String help) {
        return new OptionSpec<>(name, help, ValueType.flag(), Optional.of(false), false, false);
    }

    /** An option that takes texts separated by commas; by default none. The help calls one of them {@code argName}. */
    public static OptionSpec<List<String>> list(String name, String argName, String help) {
        return new OptionSpec<>(name, help, ValueType.list(argName), Optional.of(List.of()), false, false);
    }

    /** An option that takes a path, which need not exist, without a default. */
    public static OptionSpec<Path> path(String name, String help) {
        return of(name, help, ValueType.path());
    }

    /** The option of a setting. */
    static <T> OptionSpec<T> of(Setting<T> setting) {
        Optional<T> value = setting.isRequired() ? Optional.empty() : setting.defaultValue();
        return new OptionSpec<>(
                setting.option(),
                setting.help(),
                setting.type(),
                value,
                setting.isRequired(),
                setting.agreement() == Agreement.PER_NODE);
    }

    private static <T> OptionSpec<T> of(String name, String help, ValueType<T> type) {
        return new OptionSpec<>(name, help, type, Optional.empty(), false, false);
    }

    /**
     * A copy of this option with a value for command lines that lack it. It is not required.
     *
     * @throws IllegalArgumentException if the option would reject the value, or is a flag
     */
    public OptionSpec<T> withDefault(T value) {
        refuseForFlags("a default");
        String text = type.format(value);
        // Keeps the value of the text and not the object given, which may be a list that still changes.
        Optional<T> kept = type.parse(text).filter(value::equals);
        if (kept.isEmpty()) {
            throw new IllegalArgumentException(complaint(text));
        }
        return new OptionSpec<>(name, help, type, kept, false, perNode);
    }

    /** A copy of this option with another explanation. */
    public OptionSpec<T> withHelp(String text) {
        return new OptionSpec<>(name, text, type, defaultValue, required, perNode);
    }

    /**
     * A copy of this option that must be given. It has no default.
     *
     * @throws IllegalArgumentException if the option is a flag
     */
    public OptionSpec<T> required() {
        refuseForFlags("requiring it");
        return new OptionSpec<>(name, help, type, Optional.empty(), true, perNode);
    }

    /** A copy of this option that may differ between the nodes of a cluster, which compare all others. */
    public OptionSpec<T> perNode() {
        return new OptionSpec<>(name, help, type, defaultValue, required, true);
    }

    /** The name with its two dashes. */
    public String name() {
        return name;
    }

    /** Whether the option has to be given. */
    boolean isRequired() {
        return required;
    }

    /** Whether the option may differ between the nodes of a cluster. */
    public boolean isPerNode() {
        return perNode;
    }

    /** The value of the option if it is not given; empty if it then has none. */
    Optional<T> defaultValue() {
        return defaultValue;
    }

    /** The name with its two dashes. */
    @Override
    public String toString() {
        return name;
    }

    String help() {
        return help;
    }

    ValueType<T> type() {
        return type;
    }

    boolean takesValue() {
        return !type.argName().isEmpty();
    }

    /** The option with its value, as the usage text shows it. */
    String label() {
        return takesValue() ? name + " <" + type.argName() + ">" : name;
    }

    /** The default as text; empty if there is none, and for an empty list, which no text stands for. */
    Optional<String> defaultText() {
        return defaultValue.map(type::format).filter(text -> !text.isEmpty());
    }

    /** The message for a value that this option rejects. */
    String complaint(String given) {
        return name + ": got '" + given + "', needs " + type.needs() + Suggestion.didYouMean(given, type.choices());
    }

    private void refuseForFlags(String what) {
        if (!takesValue()) {
            throw new IllegalArgumentException(
                    "The flag " + name + " is false unless given, " + what + " makes no sense");
        }
    }
}
