// SPDX-License-Identifier: Apache-2.0
package dev.remus.options;

import dev.remus.config.Suggestion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.MissingArgumentException;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.apache.commons.cli.UnrecognizedOptionException;

/**
 * Splits a command line into options and positional arguments, with the parser of Commons CLI. It does not interpret
 * the values.
 */
final class CommandLineReader {
    private static final String END_OF_OPTIONS = "--";
    private static final Pattern ONE_DASH = Pattern.compile("-[^-0-9].*");

    private final OptionTable table;

    CommandLineReader(OptionTable table) {
        this.table = table;
    }

    /** The value of each given option by its name, {@code true} for flags, and the positional arguments. */
    record Words(Map<String, String> options, List<String> rest) {}

    /** Checked before anything else, so that a wrong or incomplete command line can still ask for help. */
    static boolean asksForHelp(String... args) {
        return beforeEndOfOptions(args).contains(OptionTable.HELP.name());
    }

    Words read(String... args) {
        refuseWhatTheParserWouldGuess(beforeEndOfOptions(args));
        CommandLine line = split(args);
        Map<String, String> options = new LinkedHashMap<>();
        for (Option option : line.getOptions()) {
            String name = dashed(option);
            String value = option.hasArg() ? option.getValue() : "true";
            if (options.putIfAbsent(name, value) != null) {
                throw table.error(name + " is given more than once, it needs to be given once");
            }
        }
        List<String> rest = line.getArgList();
        if (!rest.isEmpty() && table.restName().isEmpty()) {
            throw table.error("unexpected argument '" + rest.get(0) + "', only options are accepted");
        }
        return new Words(options, List.copyOf(rest));
    }

    /**
     * The parser takes any word but a known option as a value: a mistyped option would silently become the value of the
     * one before. It also accepts options with one dash, and a value attached to them.
     */
    private void refuseWhatTheParserWouldGuess(List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (ONE_DASH.matcher(word).matches()) {
                throw table.error("unknown option " + word + ", options need two dashes" + didYouMean(name(word)));
            }
            OptionSpec<?> spec = table.specs().get(word);
            boolean valueFollows = i + 1 < words.size() && !words.get(i + 1).startsWith("--");
            if (spec != null && spec.takesValue() && !valueFollows) {
                throw missingValue(spec);
            }
        }
    }

    private CommandLine split(String... args) {
        try {
            return DefaultParser.builder()
                    .setAllowPartialMatching(false)
                    .setStripLeadingAndTrailingQuotes(false)
                    .get()
                    .parse(options(), args);
        } catch (UnrecognizedOptionException e) {
            throw unknown(e.getOption());
        } catch (MissingArgumentException e) {
            throw missingValue(
                    Objects.requireNonNull(table.specs().get(dashed(e.getOption())), "it parses our options only"));
        } catch (ParseException e) {
            throw table.error(String.valueOf(e.getMessage()));
        }
    }

    private Options options() {
        Options options = new Options();
        for (OptionSpec<?> spec : table.specs().values()) {
            options.addOption(Option.builder()
                    .longOpt(spec.name().substring(2))
                    .hasArg(spec.takesValue())
                    .get());
        }
        return options;
    }

    private UsageException unknown(String word) {
        String name = name(word);
        if (table.specs().containsKey(name)) {
            return table.error(
                    name + " is a flag, it needs no value, but got '" + word.substring(name.length() + 1) + "'");
        }
        return table.error("unknown option " + name + didYouMean(name));
    }

    private UsageException missingValue(OptionSpec<?> spec) {
        return table.error(spec.name() + " has no value, needs " + spec.type().needs());
    }

    private String didYouMean(String name) {
        List<String> known = new ArrayList<>(table.specs().keySet());
        known.add(OptionTable.HELP.name());
        return Suggestion.didYouMean(name, known);
    }

    private static String name(String word) {
        int equals = word.indexOf('=');
        return equals < 0 ? word : word.substring(0, equals);
    }

    private static String dashed(Option option) {
        return "--" + option.getLongOpt();
    }

    private static List<String> beforeEndOfOptions(String... args) {
        List<String> words = List.of(args);
        int end = words.indexOf(END_OF_OPTIONS);
        return end < 0 ? words : words.subList(0, end);
    }
}
