package dev.remus.options;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All options of one program: its name, the groups that it includes, and how it reads a command line.
 *
 * <p>Rules of the command line: an option has two dashes and is never abbreviated; its value follows as the next word
 * or after an equals sign; a value that begins with a dash and is not a number needs the equals sign; no option is
 * given twice; everything after a word {@code --} is a positional argument. {@code --help} always exists and silences
 * every other complaint.
 *
 * <p>Built once by one thread, for example in a static field; after that any thread may parse.
 */
public final class OptionSet {
    /** The help option, part of every set. */
    static final OptionSpec<Boolean> HELP = OptionSpec.flag("--help", "Print this text and do nothing else");

    private static final OptionGroup HELP_GROUP = new OptionGroup("Help", HELP);

    private final String program;
    private final String summary;
    private final List<OptionGroup> groups = new ArrayList<>();
    private final Map<String, OptionSpec<?>> specs = new LinkedHashMap<>();
    private final List<String> examples = new ArrayList<>();
    private Optional<String> restName = Optional.empty();

    /**
     * A set with no option but {@code --help}.
     *
     * @param program the name of the program, as it is called
     * @param summary what it does, in one line
     */
    public OptionSet(String program, String summary) {
        this.program = Objects.requireNonNull(program, "program");
        this.summary = Objects.requireNonNull(summary, "summary");
    }

    /**
     * Adds groups of options.
     *
     * @param added the groups, in the order in which the usage text lists them
     * @return this
     * @throws IllegalArgumentException when an option of the same name is already there, which is a mistake in the
     *     program
     */
    public OptionSet include(OptionGroup... added) {
        for (OptionGroup group : added) {
            for (OptionSpec<?> spec : group.specs()) {
                if (spec.name().equals(HELP.name()) || specs.putIfAbsent(spec.name(), spec) != null) {
                    throw new IllegalArgumentException("The option " + spec.name() + " of the group '" + group.title()
                            + "' is declared twice in " + program);
                }
            }
            groups.add(group);
        }
        return this;
    }

    /**
     * Adds a command line to the end of the usage text.
     *
     * @param commandLine one that works when it is pasted into a shell
     * @return this
     */
    public OptionSet example(String commandLine) {
        examples.add(commandLine);
        return this;
    }

    /**
     * Allows positional arguments, which are refused otherwise.
     *
     * @param argName what the usage text calls them
     * @return this
     */
    public OptionSet allowRest(String argName) {
        restName = Optional.of(argName);
        return this;
    }

    /**
     * Reads a command line.
     *
     * @param args the words of the command line, without the name of the program
     * @return the values of all options; with {@code --help}, only that and the defaults
     * @throws UsageException when an option is missing, unknown, repeated or has a value that it does not accept
     */
    public Arguments parse(String... args) {
        return parse(Map.of(), args);
    }

    /**
     * Reads a command line to which a launcher contributes: its values count for options that are not given, and go
     * before the declared defaults.
     *
     * @param instead values by the name of the option with its two dashes, {@code true} or {@code false} for a flag
     * @param args the words of the command line, without the name of the program
     * @return the values of all options; with {@code --help}, only that and the defaults
     * @throws UsageException when an option is missing, unknown, repeated or has a value that it does not accept
     * @throws IllegalArgumentException when {@code instead} names an option that does not exist, which is a mistake in
     *     the program
     */
    public Arguments parse(Map<String, String> instead, String... args) {
        for (String name : instead.keySet()) {
            if (!specs.containsKey(name)) {
                throw new IllegalArgumentException("There is no option " + name + " in " + program);
            }
        }
        if (CommandLineReader.asksForHelp(args)) {
            return new Arguments(this, values(Map.of()), Set.of(), List.of(), true);
        }
        CommandLineReader.Words words = new CommandLineReader(this).read(args);
        Map<String, String> texts = new HashMap<>(instead);
        texts.putAll(words.options());
        Map<OptionSpec<?>, Object> values = values(texts);
        refuseMissing(values);
        return new Arguments(this, values, words.options().keySet(), words.rest(), false);
    }

    private Map<OptionSpec<?>, Object> values(Map<String, String> texts) {
        Map<OptionSpec<?>, Object> values = new LinkedHashMap<>();
        for (OptionSpec<?> spec : specs.values()) {
            value(spec, texts.get(spec.name())).ifPresent(value -> values.put(spec, value));
        }
        return values;
    }

    private <T> Optional<T> value(OptionSpec<T> spec, @Nullable String text) {
        if (text == null) {
            return spec.defaultValue();
        }
        Optional<T> value = spec.type().parse(text);
        if (value.isEmpty()) {
            throw error(spec.complaint(text));
        }
        return value;
    }

    private void refuseMissing(Map<OptionSpec<?>, Object> values) {
        String missing = specs.values().stream()
                .filter(spec -> spec.isRequired() && !values.containsKey(spec))
                .map(spec -> spec.name() + " (" + spec.type().needs() + ")")
                .collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            throw error("missing " + missing);
        }
    }

    /**
     * The usage text: what the program does, every option with its default and what it accepts, and the examples. As
     * wide as the environment variable {@code COLUMNS} says, or else 100 columns.
     *
     * @return lines that end with a line feed
     */
    public String usage() {
        return usage(UsageText.width(System.getenv("COLUMNS")));
    }

    String program() {
        return program;
    }

    String summary() {
        return summary;
    }

    /** The groups of the program, and at the end the one of the help option. */
    List<OptionGroup> groups() {
        return Stream.concat(groups.stream(), Stream.of(HELP_GROUP)).toList();
    }

    /** The options by name, in the order of the declaration, without the help option. */
    Map<String, OptionSpec<?>> specs() {
        return specs;
    }

    List<String> examples() {
        return examples;
    }

    Optional<String> restName() {
        return restName;
    }

    String usage(int width) {
        return new UsageText(this, width).toString();
    }

    UsageException error(String message) {
        return new UsageException(program + ": " + message, program, UsageText.synopsis(this));
    }
}
