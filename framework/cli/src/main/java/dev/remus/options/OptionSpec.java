package dev.remus.options;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One option of the command line, declared once: its name, what its value means, what it is for, and its default or
 * that it is required. It is also the key by which {@link Arguments#get} hands out the value with its type.
 *
 * <p>Immutable. {@link #withDefault}, {@link #required} and {@link #perNode} make a new option, so a program keeps the result of the
 * whole chain in one constant and uses that.
 *
 * @param <T> the type of the value
 */
public final class OptionSpec<T> {
    private static final Pattern NAME = Pattern.compile("--[a-z][a-z0-9]*(-[a-z0-9]+)*");

    private final String name;
    private final String help;
    private final OptionType<T> type;
    private final Optional<T> defaultValue;
    private final boolean required;
    private final boolean perNode;

    private OptionSpec(
            String name, String help, OptionType<T> type, Optional<T> defaultValue, boolean required, boolean perNode) {
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
     * @param max the largest number that is accepted; {@link Long#MAX_VALUE} when there is no limit
     * @param help what it is for, with the unit
     * @return the option, without a default
     * @throws IllegalArgumentException when the name is malformed or the range empty
     */
    public static OptionSpec<Long> integer(String name, long min, long max, String help) {
        return of(name, help, new IntegerType(min, max));
    }

    /**
     * An option that takes a text, which must not be blank.
     *
     * @param name the name with its two dashes
     * @param argName what the usage text calls the value
     * @param help what it is for
     * @return the option, without a default
     * @throws IllegalArgumentException when the name is malformed
     */
    public static OptionSpec<String> text(String name, String argName, String help) {
        return of(name, help, new TextType(argName));
    }

    /**
     * An option that takes one of the constants of an enum, by the names that their {@code toString()} gives.
     *
     * @param name the name with its two dashes
     * @param choices the enum
     * @param help what it is for
     * @param <E> the enum
     * @return the option, without a default
     * @throws IllegalArgumentException when the name is malformed
     */
    public static <E extends Enum<E>> OptionSpec<E> choice(String name, Class<E> choices, String help) {
        return of(name, help, new ChoiceType<>(choices));
    }

    /**
     * An option that takes no value: it is given or it is not, and its value is never missing.
     *
     * @param name the name with its two dashes
     * @param help what it is for
     * @return the option, which is false when it is not given
     * @throws IllegalArgumentException when the name is malformed
     */
    public static OptionSpec<Boolean> flag(String name, String help) {
        return new OptionSpec<>(name, help, new FlagType(), Optional.of(false), false, false);
    }

    /**
     * An option that takes several texts, separated by commas.
     *
     * @param name the name with its two dashes
     * @param argName what the usage text calls one entry
     * @param help what it is for
     * @return the option, which is an empty list when it is not given
     * @throws IllegalArgumentException when the name is malformed
     */
    public static OptionSpec<List<String>> list(String name, String argName, String help) {
        return new OptionSpec<>(name, help, new ListType(argName), Optional.of(List.of()), false, false);
    }

    /**
     * An option that takes a path, which need not exist.
     *
     * @param name the name with its two dashes
     * @param help what it is for
     * @return the option, without a default
     * @throws IllegalArgumentException when the name is malformed
     */
    public static OptionSpec<Path> path(String name, String help) {
        return of(name, help, new PathType());
    }

    private static <T> OptionSpec<T> of(String name, String help, OptionType<T> type) {
        return new OptionSpec<>(name, help, type, Optional.empty(), false, false);
    }

    /**
     * This option with a value for when it is not given.
     *
     * @param value one that the option itself would accept
     * @return a new option, not required
     * @throws IllegalArgumentException when the option would refuse the value, or is a flag
     */
    public OptionSpec<T> withDefault(T value) {
        refuseForFlags("a default");
        String text = type.format(value);
        // Keeps what the text means and not the object given, which may be a list that still changes.
        Optional<T> kept = type.parse(text).filter(value::equals);
        if (kept.isEmpty()) {
            throw new IllegalArgumentException(complaint(text));
        }
        return new OptionSpec<>(name, help, type, kept, false, perNode);
    }

    /**
     * This option, which then has to be given.
     *
     * @return a new option without a default
     * @throws IllegalArgumentException when the option is a flag
     */
    public OptionSpec<T> required() {
        refuseForFlags("requiring it");
        return new OptionSpec<>(name, help, type, Optional.empty(), true, perNode);
    }

    /**
     * This option, which may then differ between the nodes of a cluster. All others must be the same on all of them, which
     * the nodes compare at their start.
     *
     * @return a new option
     */
    public OptionSpec<T> perNode() {
        return new OptionSpec<>(name, help, type, defaultValue, required, true);
    }

    /**
     * The name of the option.
     *
     * @return the name with its two dashes
     */
    public String name() {
        return name;
    }

    /**
     * Whether the option has to be given.
     *
     * @return true after {@link #required}
     */
    boolean isRequired() {
        return required;
    }

    /**
     * Whether the option may differ between the nodes of a cluster.
     *
     * @return true after {@link #perNode}
     */
    public boolean isPerNode() {
        return perNode;
    }

    /**
     * The value of the option when it is not given.
     *
     * @return empty when the option then has no value
     */
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

    OptionType<T> type() {
        return type;
    }

    boolean takesValue() {
        return !type.argName().isEmpty();
    }

    /** The default as text; empty when there is none, and for an empty list, which no text stands for. */
    Optional<String> defaultText() {
        return defaultValue.map(type::format).filter(text -> !text.isEmpty());
    }

    /** The message for a value that this option refuses. */
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
