// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.check;

import dev.remus.config.Suggestion;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSpec;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An option whose value is {@code all}, {@code none} or a list of constants of an enum. Constants have names such as
 * {@code stopped-threads}; a unique prefix suffices.
 *
 * @param spec the option
 * @param choices the enum
 * @param defaults the value if the option is not given
 */
record Choices<E extends Enum<E>>(OptionSpec<List<String>> spec, Class<E> choices, Set<E> defaults) {
    private static final String ALL = "all";
    private static final String NONE = "none";

    /** Makes an option whose help text ends with the allowed values. */
    static <E extends Enum<E>> Choices<E> option(String name, Class<E> choices, Set<E> defaults, String help) {
        String all = help + ": " + describe(choices, defaults) + " of "
                + format(EnumSet.allOf(choices)).replace(",", ", ") + "; a unique prefix of a name suffices";
        return new Choices<>(OptionSpec.list(name, "name", all), choices, defaults);
    }

    private static <E extends Enum<E>> String describe(Class<E> choices, Set<E> defaults) {
        return defaults.equals(EnumSet.allOf(choices))
                ? "all (the default), none or some"
                : "none (the default), all or some";
    }

    /** The constants as typed on a command line, or {@code none}. */
    static String format(Set<? extends Enum<?>> chosen) {
        return chosen.isEmpty()
                ? NONE
                : chosen.stream().sorted().map(Choices::name).collect(Collectors.joining(","));
    }

    private static String name(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The constants that a command line selects; empty if it does not have the option. */
    Optional<Set<E>> find(Arguments arguments) {
        return arguments.get(spec).isEmpty() ? Optional.empty() : Optional.of(of(arguments));
    }

    /** The constants that a command line selects, or the defaults. */
    Set<E> of(Arguments arguments) {
        List<String> words = arguments.get(spec);
        if (words.isEmpty()) {
            return defaults;
        }
        Set<E> chosen = EnumSet.noneOf(choices);
        for (String word : words) {
            if (word.equals(ALL)) {
                chosen.addAll(EnumSet.allOf(choices));
            } else if (!word.equals(NONE)) {
                chosen.add(match(word, arguments));
            }
        }
        return chosen;
    }

    private E match(String word, Arguments arguments) {
        List<E> matches = Stream.of(choices.getEnumConstants())
                .filter(choice -> name(choice).startsWith(word))
                .toList();
        if (matches.size() == 1) {
            return matches.get(0);
        }
        String hint = matches.isEmpty()
                ? Suggestion.didYouMean(
                        word,
                        Stream.of(choices.getEnumConstants()).map(Choices::name).toList())
                : "; '" + word + "' may be "
                        + matches.stream().map(Choices::name).collect(Collectors.joining(" or "));
        throw arguments.usageError(
                spec, "all, none or some of " + format(EnumSet.allOf(choices)).replace(",", ", ") + hint);
    }
}
