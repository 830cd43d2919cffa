package dev.remus.options;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The constants of an enum, under the names that their {@code toString()} gives. */
record ChoiceType<E extends Enum<E>>(Class<E> type) implements OptionType<E> {
    @Override
    public Optional<E> parse(String text) {
        return Arrays.stream(type.getEnumConstants())
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

    @Override
    public List<String> choices() {
        return Arrays.stream(type.getEnumConstants()).map(E::toString).toList();
    }

    private String names(String separator) {
        return String.join(separator, choices());
    }
}
