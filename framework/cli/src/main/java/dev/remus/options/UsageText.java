package dev.remus.options;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.commons.cli.help.TableDefinition;
import org.apache.commons.cli.help.TextHelpAppendable;
import org.apache.commons.cli.help.TextStyle;

/** Lays out the usage text of an {@link OptionSet}: one table per group, all with the same columns. */
final class UsageText {
    private static final int DEFAULT_WIDTH = 100;
    // Less than this leaves no room for the explanations beside the longest option.
    private static final int MIN_WIDTH = 60;

    private final OptionSet set;
    private final int width;

    UsageText(OptionSet set, int width) {
        this.set = set;
        this.width = width;
    }

    /**
     * The width of the text.
     *
     * @param columns the value of the environment variable, or null
     */
    static int width(String columns) {
        try {
            return columns == null ? DEFAULT_WIDTH : Math.max(MIN_WIDTH, Integer.parseInt(columns));
        } catch (NumberFormatException e) {
            return DEFAULT_WIDTH;
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        TextHelpAppendable out = new TextHelpAppendable(text);
        out.setMaxWidth(width);
        out.setLeftPad(0);
        try {
            out.appendParagraph(synopsis(set));
            out.appendParagraph(set.summary());
            for (OptionGroup group : set.groups()) {
                out.appendTable(table(group));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("A string builder does no input or output", e);
        }
        // Examples are there to be copied, so they are not wrapped.
        if (!set.examples().isEmpty()) {
            text.append("\nExamples\n");
            set.examples().forEach(example -> text.append("  ").append(example).append('\n'));
        }
        return tidy(text.toString());
    }

    /** How the program is called, in one line. */
    static String synopsis(OptionSet set) {
        List<String> words = new ArrayList<>();
        words.add("Usage: " + set.program());
        set.specs().values().stream()
                .filter(OptionSpec::isRequired)
                .map(UsageText::label)
                .forEach(words::add);
        words.add("[options]");
        set.restName().ifPresent(name -> words.add("[<" + name + ">...]"));
        return String.join(" ", words);
    }

    private TableDefinition table(OptionGroup group) {
        int labelWidth = set.groups().stream()
                .flatMap(each -> each.specs().stream())
                .mapToInt(spec -> label(spec).length())
                .max()
                .orElse(0);
        TextStyle label = TextStyle.builder()
                .setLeftPad(2)
                .setIndent(0)
                .setMinWidth(labelWidth)
                .setMaxWidth(labelWidth)
                .setScalable(false)
                .get();
        TextStyle explanation = TextStyle.builder().setLeftPad(2).setIndent(0).get();
        List<List<String>> rows = group.specs().stream()
                .map(spec -> List.of(label(spec), explanation(spec)))
                .collect(Collectors.toList());
        return TableDefinition.from(group.title(), List.of(label, explanation), List.of("", ""), rows);
    }

    private static String label(OptionSpec<?> spec) {
        return spec.takesValue() ? spec.name() + " <" + spec.type().argName() + ">" : spec.name();
    }

    private static String explanation(OptionSpec<?> spec) {
        List<String> notes = new ArrayList<>();
        if (spec.isRequired()) {
            notes.add("required");
        }
        if (spec.takesValue()) {
            spec.defaultText().ifPresent(text -> notes.add("default " + text));
        }
        if (!spec.type().accepts().isEmpty()) {
            notes.add(spec.type().accepts());
        }
        return notes.isEmpty() ? spec.help() : spec.help() + " (" + String.join("; ", notes) + ")";
    }

    /** The library fills lines with blanks, and leaves an empty line for the column titles that are not wanted here. */
    private static String tidy(String text) {
        String lines = text.lines().map(String::stripTrailing).collect(Collectors.joining("\n"));
        return lines.replaceAll("(?m)^(\\S.*)\n\n+(?=  -)", "$1\n")
                        .replaceAll("\n{3,}", "\n\n")
                        .strip() + "\n";
    }
}
