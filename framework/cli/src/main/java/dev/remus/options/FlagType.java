package dev.remus.options;

import java.util.Optional;

/** Present or not. The words {@code true} and {@code false} stand for that where a text is needed. */
record FlagType() implements OptionType<Boolean> {
    @Override
    public Optional<Boolean> parse(String text) {
        return switch (text) {
            case "true" -> Optional.of(true);
            case "false" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    @Override
    public String format(Boolean value) {
        return value.toString();
    }

    @Override
    public String needs() {
        return "true or false";
    }

    @Override
    public String accepts() {
        return "";
    }

    @Override
    public String argName() {
        return "";
    }
}
