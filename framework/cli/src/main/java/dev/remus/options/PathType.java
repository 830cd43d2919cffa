package dev.remus.options;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** A path of the file system, which need not exist. */
record PathType() implements OptionType<Path> {
    @Override
    public Optional<Path> parse(String text) {
        if (text.isBlank()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Path.of(text));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    @Override
    public String format(Path value) {
        return value.toString();
    }

    @Override
    public String needs() {
        return "a path";
    }

    @Override
    public String accepts() {
        return "";
    }

    @Override
    public String argName() {
        return "path";
    }
}
