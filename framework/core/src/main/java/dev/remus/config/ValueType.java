// SPDX-License-Identifier: Apache-2.0
package dev.remus.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;

/**
 * The values that a setting or an option accepts, and their texts. The same object reads a text, checks a
 * value and describes both, so an error message and the help cannot contradict the check.
 *
 * @param <T> the Java type of the values, which is immutable
 */
public final class ValueType<T> {
    // Stricter than Long.parseLong, which also takes a plus sign and the digits of other scripts.
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,19}");

    private final Description description;
    private final Function<String, Optional<T>> read;
    private final Function<T, String> write;
    private final Predicate<T> accepts;
    private final Optional<Codes<T>> codes;

    private ValueType(
            Description description,
            Function<String, Optional<T>> read,
            Function<T, String> write,
            Predicate<T> accepts,
            Optional<Codes<T>> codes) {
        this.description = description;
        this.read = read;
        this.write = write;
        this.accepts = accepts;
        this.codes = codes;
    }

    /** What messages and the help print about the values. */
    private record Description(String argName, String needs, String range, List<String> choices) {}

    /** The values counted from 0. */
    private record Codes<T>(int count, ToIntFunction<T> codeOf, IntFunction<T> valueOf) {}

    /**
     * Whole numbers from {@code min} to {@code max}.
     *
     * @throws IllegalArgumentException if the range is empty
     */
    public static ValueType<Integer> integer(int min, int max) {
        return number(min, max, number -> (int) number, Integer::longValue)
                .counted(max - min + 1, value -> value - min, code -> code + min);
    }

    /**
     * Whole numbers from {@code min} to {@code max}; {@link Long#MAX_VALUE} stands for no limit.
     *
     * @throws IllegalArgumentException if the range is empty
     */
    public static ValueType<Long> integer(long min, long max) {
        return number(min, max, number -> number, Function.identity());
    }

    /**
     * Times from {@code min} to {@code max} seconds. As texts and as codes, they are whole numbers of seconds.
     */
    public static ValueType<Duration> seconds(int min, int max) {
        ValueType<Duration> whole = number(min, max, Duration::ofSeconds, Duration::toSeconds);
        return new ValueType<>(
                        new Description(
                                whole.argName(),
                                "a whole number of seconds from " + min + " to " + max,
                                whole.range(),
                                List.of()),
                        whole.read,
                        value -> value.getNano() == 0 ? whole.format(value) : value.toString(),
                        value -> value.compareTo(Duration.ofSeconds(min)) >= 0
                                && value.compareTo(Duration.ofSeconds(max)) <= 0,
                        Optional.<Codes<Duration>>empty())
                .counted(max - min + 1, value -> (int) value.toSeconds() - min, code -> Duration.ofSeconds(min + code));
    }

    private static <T> ValueType<T> number(long min, long max, LongFunction<T> boxed, Function<T, Long> unboxed) {
        if (min > max) {
            throw new IllegalArgumentException("The range " + min + ".." + max + " is empty");
        }
        boolean limited = max != Long.MAX_VALUE;
        String needs = limited ? "a whole number from " + min + " to " + max : "a whole number of at least " + min;
        return new ValueType<>(
                new Description("n", needs, min + ".." + (limited ? max : ""), List.of()),
                text -> decimal(text)
                        .filter(number -> number >= min && number <= max)
                        .map(boxed::apply),
                value -> unboxed.apply(value).toString(),
                value -> unboxed.apply(value) >= min && unboxed.apply(value) <= max,
                Optional.empty());
    }

    private static Optional<Long> decimal(String text) {
        if (!DECIMAL.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Long.valueOf(text));
        } catch (NumberFormatException e) {
            return Optional.empty(); // more than a long holds
        }
    }

    /** Any text that is not blank; the help calls it {@code argName}. */
    public static ValueType<String> text(String argName) {
        return text(argName, text -> !text.isBlank(), "a <" + argName + "> that is not empty");
    }

    /**
     * Texts of a form.
     *
     * @param argName what the help calls the text
     * @param accepted matches the texts that are accepted, and no others
     * @param needs describes them, continuing the sentence "needs ..."
     */
    public static ValueType<String> text(String argName, Pattern accepted, String needs) {
        return text(argName, accepted.asMatchPredicate(), needs);
    }

    private static ValueType<String> text(String argName, Predicate<String> accepts, String needs) {
        return new ValueType<>(
                new Description(argName, needs, "", List.of()),
                Optional::of,
                Function.identity(),
                accepts,
                Optional.empty());
    }

    /** The constants of an enum, under the names that their {@code toString()} returns. */
    public static <E extends Enum<E>> ValueType<E> choice(Class<E> type) {
        E[] constants = type.getEnumConstants();
        List<String> names = Arrays.stream(constants).map(E::toString).toList();
        return new ValueType<E>(
                        new Description("choice", "one of " + String.join(", ", names), String.join("|", names), names),
                        text -> Arrays.stream(constants)
                                .filter(choice -> choice.toString().equals(text))
                                .findFirst(),
                        E::toString,
                        value -> true,
                        Optional.empty())
                .counted(constants.length, E::ordinal, code -> constants[code]);
    }

    /** True or false; on the command line a word without a value, which is there or not. */
    public static ValueType<Boolean> flag() {
        return new ValueType<>(
                        new Description("", "true or false", "", List.of()),
                        text -> text.equals("true") || text.equals("false")
                                ? Optional.of(text.equals("true"))
                                : Optional.empty(),
                        Object::toString,
                        value -> true,
                        Optional.empty())
                .counted(2, value -> value ? 1 : 0, code -> code == 1);
    }

    /** Texts separated by commas, none of them empty; the help calls one of them {@code argName}. */
    public static ValueType<List<String>> list(String argName) {
        return list(
                argName,
                entry -> !entry.isBlank(),
                "a list of <" + argName + "> separated by commas, none of them empty");
    }

    /**
     * Texts of a form, separated by commas.
     *
     * @param argName what the help calls one of them
     * @param accepted matches the texts that are accepted, and no others
     * @param needs describes the list, continuing the sentence "needs ..."
     */
    public static ValueType<List<String>> list(String argName, Pattern accepted, String needs) {
        return list(argName, accepted.asMatchPredicate(), needs);
    }

    private static ValueType<List<String>> list(String argName, Predicate<String> accepts, String needs) {
        return new ValueType<>(
                new Description(argName + ",...", needs, "", List.of()),
                // The limit keeps empty entries at the end, which are mistakes.
                text -> Optional.of(
                        Arrays.stream(text.split(",", -1)).map(String::strip).toList()),
                list -> String.join(",", list),
                list -> list.stream().allMatch(accepts),
                Optional.empty());
    }

    /** A path of the file system, which need not exist. */
    public static ValueType<Path> path() {
        return new ValueType<>(
                new Description("path", "a path", "", List.of()),
                ValueType::path,
                Path::toString,
                value -> true,
                Optional.empty());
    }

    private static Optional<Path> path(String text) {
        try {
            return text.isBlank() ? Optional.empty() : Optional.of(Path.of(text));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private ValueType<T> counted(int count, ToIntFunction<T> codeOf, IntFunction<T> valueOf) {
        return new ValueType<>(description, read, write, accepts, Optional.of(new Codes<>(count, codeOf, valueOf)));
    }

    /** The value that a text stands for; empty if it stands for none that is accepted. */
    public Optional<T> parse(String text) {
        return read.apply(text).filter(accepts);
    }

    /** The text that {@link #parse} turns into this value. */
    public String format(T value) {
        return write.apply(value);
    }

    /** Whether a value is accepted. */
    public boolean accepts(T value) {
        return accepts.test(value);
    }

    /** Describes the accepted values, continuing the sentence "needs ...". */
    public String needs() {
        return description.needs;
    }

    /** The accepted values for the help, as short as possible; empty if they have no short form. */
    public String range() {
        return description.range;
    }

    /** The name of a value in the help; empty for flags. */
    public String argName() {
        return description.argName;
    }

    /** The words to choose from; empty if the values cannot be listed. */
    public List<String> choices() {
        return description.choices;
    }

    /** The number of accepted values; 0 if {@link #code} cannot count them. */
    public int count() {
        return codes.map(Codes::count).orElse(0);
    }

    /** The number of a value, from 0 to {@link #count} - 1. */
    public int code(T value) {
        return codes.orElseThrow().codeOf.applyAsInt(value);
    }

    /** The value of a {@link #code}. */
    public T value(int code) {
        return codes.orElseThrow().valueOf.apply(code);
    }
}
