package dev.remus.options;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The constants of an enum, under the names that their {@code toString()} gives. */
record ChoiceType<E extends Enum<E>>(Class<E> choices) implements OptionType<E> {
    @Override
    public Optional<E> parse(String text) {
        return Arrays.stream(choices.getEnumConstants())
                .filter(choice -> choice.toString().equals(text))
                .findFirst();
    }

    @Override
    public String format(E value) {
        return value.toString();
    }

    @Override
    public String needs() {
        return "one of " + names(", ");
    }

    @Override
    public String accepts() {
        return names("|");
    }

    @Override
    public String argName() {
        return "choice";
    }

    private String names(String separator) {
        return Arrays.stream(choices.getEnumConstants()).map(E::toString).collect(Collectors.joining(separator));
    }
}
