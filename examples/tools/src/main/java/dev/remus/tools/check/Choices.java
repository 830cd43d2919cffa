package dev.remus.tools.check;

import dev.remus.config.Suggestion;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSpec;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An option that takes some of the constants of an enum, {@code all} or {@code none}. The constants are named as in {@code
 * stopped-threads}, of which the beginning will do if no other begins so.
 *
 * @param spec the option
 * @param choices the enum
 * @param usual what is meant if the option is not given
 */
record Choices<E extends Enum<E>>(OptionSpec<List<String>> spec, Class<E> choices, Set<E> usual) {
    private static final String ALL = "all";
    private static final String NONE = "none";

    /** An option of which the help text ends with what can be given. */
    static <E extends Enum<E>> Choices<E> option(String name, Class<E> choices, Set<E> usual, String help) {
        String all = help + ": " + usual(choices, usual) + " of "
                + format(EnumSet.allOf(choices)).replace(",", ", ") + "; the beginning of a name will do";
        return new Choices<>(OptionSpec.list(name, "name", all), choices, usual);
    }

    private static <E extends Enum<E>> String usual(Class<E> choices, Set<E> usual) {
        return usual.equals(EnumSet.allOf(choices))
                ? "all (the default), none or some"
                : "none (the default), all or some";
    }

    /** As they are typed; {@code none} if there are none. */
    static String format(Set<? extends Enum<?>> chosen) {
        return chosen.isEmpty()
                ? NONE
                : chosen.stream().sorted().map(Choices::name).collect(Collectors.joining(","));
    }

    private static String name(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What is chosen on a command line. */
    Set<E> of(Arguments arguments) {
        List<String> words = arguments.get(spec);
        if (words.isEmpty()) {
            return usual;
        }
        Set<E> chosen = EnumSet.noneOf(choices);
        for (String word : words) {
            if (word.equals(ALL)) {
                chosen.addAll(EnumSet.allOf(choices));
            } else if (!word.equals(NONE)) {
                chosen.add(meant(word, arguments));
            }
        }
        return chosen;
    }

    private E meant(String word, Arguments arguments) {
        List<E> meant = Stream.of(choices.getEnumConstants())
                .filter(choice -> name(choice).startsWith(word))
                .toList();
        if (meant.size() == 1) {
            return meant.get(0);
        }
        String doubt = meant.isEmpty()
                ? Suggestion.didYouMean(
                        word,
                        Stream.of(choices.getEnumConstants()).map(Choices::name).toList())
                : "; '" + word + "' may be " + meant.stream().map(Choices::name).collect(Collectors.joining(" or "));
        throw arguments.usageError(
                spec, "all, none or some of " + format(EnumSet.allOf(choices)).replace(",", ", ") + doubt);
    }
}
