package dev.remus.options;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Texts separated by commas, none of them blank; the blanks around each do not count. */
record ListType(String entryName) implements OptionType<List<String>> {
    @Override
    public Optional<List<String>> parse(String text) {
        // The limit keeps empty entries at the end, which would be a mistake worth telling.
        List<String> entries =
                Arrays.stream(text.split(",", -1)).map(String::strip).toList();
        return entries.contains("") ? Optional.empty() : Optional.of(entries);
    }

    @Override
    public String format(List<String> value) {
        return String.join(",", value);
    }

    @Override
    public String needs() {
        return "a list of <" + entryName + "> separated by commas, none of them empty";
    }

    @Override
    public String accepts() {
        return "";
    }

    @Override
    public String argName() {
        return entryName + ",...";
    }
}
