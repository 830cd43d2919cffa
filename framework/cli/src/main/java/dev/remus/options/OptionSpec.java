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
 * One option of the command line, declared once: its name, the values that it accepts, what it is for, and its default
 * or that it is required. It is also the key by which {@link Arguments#get} returns the value with its type.
 *
 * <p>Immutable. {@link #withDefault}, {@link #required} and {@link #perNode} make a new option, so a program keeps the
 * result of the whole chain in one constant and uses that.
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
     * An option that takes a whole number.
     *
     * @param name the name with its two dashes
     * @param min the smallest number that is accepted
     * @param max the largest number that is accepted; {@link Long#MAX_VALUE} for no limit
     * @param help what it is for, with the unit
     * @return the option, without a default
     * @throws IllegalArgumentException if the name is malformed or the range empty
     */
    public static OptionSpec<Long> integer(String name, long min, long max, String help) {
        return of(name, help, ValueType.integer(min, max));
    }

    /**
     * An option that takes a text, which must not be blank.
     *
     * @param name the name with its two dashes
     * @param argName the name of the value in the usage text
     * @param help what it is for
     * @return the option, without a default
     * @throws IllegalArgumentException if the name is malformed
     */
    public static OptionSpec<String> text(String name, String argName, String help) {
        return of(name, help, ValueType.text(argName));
    }

    /**
     * An option that takes one of the constants of an enum, by the names that their {@code toString()} returns.
     *
     * @param name the name with its two dashes
     * @param choices the enum
     * @param help what it is for
     * @param <E> the enum
     * @return the option, without a default
     * @throws IllegalArgumentException if the name is malformed
     */
    public static <E extends Enum<E>> OptionSpec<E> choice(String name, Class<E> choices, String help) {
        return of(name, help, ValueType.choice(choices));
    }

    /**
     * An option that takes no value: it is given or it is not, and its value is never missing.
     *
     * @param name the name with its two dashes
     * @param help what it is for
     * @return the option, which is false if it is not given
     * @throws IllegalArgumentException if the name is malformed
     */
    public static OptionSpec<Boolean> flag(String name, String help) {
        return new OptionSpec<>(name, help, ValueType.flag(), Optional.of(false), false, false);
    }

    /**
     * An option that takes several texts, separated by commas.
     *
     * @param name the name with its two dashes
     * @param argName the name of one entry in the usage text
     * @param help what it is for
     * @return the option, which is an empty list if it is not given
     * @throws IllegalArgumentException if the name is malformed
     */
    public static OptionSpec<List<String>> list(String name, String argName, String help) {
        return new OptionSpec<>(name, help, ValueType.list(argName), Optional.of(List.of()), false, false);
    }

    /**
     * An option that takes a path, which need not exist.
     *
     * @param name the name with its two dashes
     * @param help what it is for
     * @return the option, without a default
     * @throws IllegalArgumentException if the name is malformed
     */
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
     * This option with a value for command lines that lack it.
     *
     * @param value one that the option itself would accept
     * @return a new option, not required
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

    /**
     * This option with another explanation.
     *
     * @param text what it is for
     * @return a new option
     */
    public OptionSpec<T> withHelp(String text) {
        return new OptionSpec<>(name, text, type, defaultValue, required, perNode);
    }

    /**
     * This option, which then has to be given.
     *
     * @return a new option without a default
     * @throws IllegalArgumentException if the option is a flag
     */
    public OptionSpec<T> required() {
        refuseForFlags("requiring it");
        return new OptionSpec<>(name, help, type, Optional.empty(), true, perNode);
    }

    /**
     * This option, which may then differ between the nodes of a cluster. The nodes compare all others when they start.
     *
     * @return a new option
     */
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
