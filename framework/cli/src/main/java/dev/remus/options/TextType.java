package dev.remus.options;

import java.util.Optional;

/** Any text that is not blank. */
record TextType(String argName) implements OptionType<String> {
    @Override
    public Optional<String> parse(String text) {
        return text.isBlank() ? Optional.empty() : Optional.of(text);
    }

    @Override
    public String format(String value) {
        return value;
    }

    @Override
    public String needs() {
        return "a <" + argName + "> that is not empty";
    }

    @Override
    public String accepts() {
        return "";
    }
}
