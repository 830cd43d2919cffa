// SPDX-License-Identifier: Apache-2.0
package dev.remus.options;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.commons.cli.help.TableDefinition;
import org.apache.commons.cli.help.TextHelpAppendable;
import org.apache.commons.cli.help.TextStyle;

/** Lays out the usage text of an {@link OptionSet}: one table for each group, all with the same columns. */
final class UsageText {
    private static final int DEFAULT_WIDTH = 100;
    // Less than this leaves no room for the explanations beside the longest option.
    private static final int MIN_WIDTH = 60;

    private final OptionTable options;
    private final String summary;
    private final List<String> examples;
    private final int width;

    UsageText(OptionTable options, String summary, List<String> examples, int width) {
        this.options = options;
        this.summary = summary;
        this.examples = examples;
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
            out.appendParagraph(options.synopsis());
            out.appendParagraph(summary);
            for (OptionGroup group : options.groups()) {
                out.appendTable(table(group));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("A string builder does no input or output", e);
        }
        // Examples are there to be copied, so they are not wrapped.
        if (!examples.isEmpty()) {
            text.append("\nExamples\n");
            examples.forEach(example -> text.append("  ").append(example).append('\n'));
        }
        return tidy(text.toString());
    }

    private TableDefinition table(OptionGroup group) {
        int labelWidth = options.groups().stream()
                .flatMap(each -> each.specs().stream())
                .mapToInt(spec -> spec.label().length())
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
                .map(spec -> List.of(spec.label(), explanation(spec)))
                .collect(Collectors.toList());
        return TableDefinition.from(group.title(), List.of(label, explanation), List.of("", ""), rows);
    }

    private String explanation(OptionSpec<?> spec) {
        List<String> notes = new ArrayList<>();
        Optional<String> condition = options.condition().map(OptionSpec::name);
        Optional<String> otherwise = options.conditionalDefault(spec);
        if (otherwise.isPresent()) {
            notes.add("default " + otherwise.get() + " without " + condition.orElseThrow()
                    + (spec.isRequired() ? ", else required" : ""));
        } else if (spec.isRequired() && condition.filter(spec.name()::equals).isEmpty()) {
            notes.add("required");
        }
        if (spec.takesValue()) {
            spec.defaultText().ifPresent(text -> notes.add("default " + text));
        }
        if (!spec.type().range().isEmpty()) {
            notes.add(spec.type().range());
        }
        return notes.isEmpty() ? spec.help() : spec.help() + " (" + String.join("; ", notes) + ")";
    }

    /** Removes the blanks at the ends of lines, and the empty line that the library leaves for column titles. */
    private static String tidy(String text) {
        String lines = text.lines().map(String::stripTrailing).collect(Collectors.joining("\n"));
        return lines.replaceAll("(?m)^(\\S.*)\n\n+(?=  -)", "$1\n")
                        .replaceAll("\n{3,}", "\n\n")
                        .strip() + "\n";
    }
}
