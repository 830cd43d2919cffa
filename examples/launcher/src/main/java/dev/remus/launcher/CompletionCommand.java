// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.config.Suggestion;
import dev.remus.options.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Prints a shell script that completes command lines of {@code ./remus}. Its words are parsed from the commands' {@code
 * --help}, which is made from their options, so it offers exactly the existing commands and options.
 */
final class CompletionCommand {
    static final String NAME = "completion";
    private static final String SYNOPSIS = "Usage: ./remus completion bash|zsh";
    private static final List<String> SHELLS = List.of("bash", "zsh");

    private static final String USAGE = """
            %s

            Prints a script with which bash or zsh completes commands, options and choices.

            Examples
              source <(./remus completion bash)
              ./remus completion zsh > ~/.remus-completion.zsh   # and: source it in ~/.zshrc
            """.formatted(SYNOPSIS);

    /** An option in a help text, with the lines of its explanation. */
    private static final Pattern OPTION =
            Pattern.compile("(?m)^  (--[a-z0-9-]+)( <[^>\n]+>)?((?: .*)?(?:\n {5,}\\S.*)*)$");

    private static final Pattern CHOICES =
            Pattern.compile("\\((?:[^()]*; )?([A-Za-z0-9-]+(?:\\|[A-Za-z0-9-]+)+)\\)\\s*$");

    /** Precedes the list of first arguments in the help of a command that has several parts. */
    private static final Pattern HEADING = Pattern.compile("(?m)^(Suites|Experiments)$");

    private static final Pattern SUITE = Pattern.compile("(?m)^  ([a-z][a-z-]+) +\\S.*$");

    /** A placeholder for a free value, which is not completed. */
    private static final String ANY = "@";

    private static final String ZSH = """
            autoload -U +X compinit && compinit
            autoload -U +X bashcompinit && bashcompinit
            """;

    private static final String FUNCTIONS = """
            _remus() {
                local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} key= words=
                if ((COMP_CWORD > 1)); then
                    key=${COMP_WORDS[1]}
                fi
                if ((COMP_CWORD > 2)) && [[ ${COMP_WORDS[2]} != -* && -n $(_remus_words "$key ${COMP_WORDS[2]}") ]]; then
                    key="$key ${COMP_WORDS[2]}"
                fi
                if [[ $before == --* ]]; then
                    words=$(_remus_words "$key $before")
                fi
                if [[ -z $words ]]; then
                    words=$(_remus_words "$key")
                fi
                COMPREPLY=()
                if [[ $words != @ ]]; then
                    COMPREPLY=($(compgen -W "$words" -- "$current"))
                fi
            }
            complete -o default -F _remus ./remus remus
            """;

    private final List<Catalogue.Entry> entries;
    private final Programs programs;

    /** Runs a command with its arguments. */
    interface Programs {
        int run(String[] args, PrintStream out, PrintStream err);
    }

    /**
     * @param entries the commands
     * @param programs runs the commands written in Java
     */
    CompletionCommand(List<Catalogue.Entry> entries, Programs programs) {
        this.entries = entries;
        this.programs = programs;
    }

    /** @return an {@link ExitStatus} */
    int run(PrintStream out, PrintStream err, String... args) {
        String shell = args.length == 1 ? args[0] : "";
        switch (shell) {
            case "--help" -> out.print(USAGE);
            case "bash" -> out.print(script());
            case "zsh" -> out.print(ZSH + script());
            default -> {
                String problem = "./remus completion: got '" + String.join(" ", args) + "', needs bash or zsh"
                        + Suggestion.didYouMean(shell, SHELLS);
                UsageException.print(SYNOPSIS, "./remus " + NAME, problem, err);
                return UsageException.EXIT_STATUS;
            }
        }
        out.flush();
        return ExitStatus.OK;
    }

    private String script() {
        Map<String, String> table = new LinkedHashMap<>();
        String names = entries.stream().map(Catalogue.Entry::name).collect(Collectors.joining(" "));
        table.put("", names + " --help --version");
        for (Catalogue.Entry entry : entries) {
            add(entry.name(), help(entry), table);
        }
        for (Catalogue.Entry entry : entries) {
            addSuites(entry, table);
        }
        table.put("help", names);
        table.put(NAME, String.join(" ", SHELLS) + " --help");
        StringBuilder script = new StringBuilder(
                "# Completes ./remus; made by ./remus completion.\n_remus_words() {\n    case $1 in\n");
        table.forEach((key, words) -> script.append("        '")
                .append(key)
                .append("') echo '")
                .append(words)
                .append("' ;;\n"));
        return script + "    esac\n}\n" + FUNCTIONS;
    }

    private void addSuites(Catalogue.Entry entry, Map<String, String> table) {
        String usage = help(entry);
        Matcher heading = HEADING.matcher(usage);
        if (heading.find()) {
            List<String> words = new ArrayList<>();
            Matcher suite = SUITE.matcher(usage.substring(heading.start()));
            while (suite.find()) {
                words.add(suite.group(1));
                add(entry.name() + " " + suite.group(1), help(entry.name(), suite.group(1), "--help"), table);
            }
            table.put(entry.name(), String.join(" ", words));
        }
    }

    private String help(Catalogue.Entry entry) {
        if (entry.name().equals(NAME)) {
            return USAGE;
        }
        return entry.isJava() ? help(entry.name(), "--help") : Catalogue.help(entry.name());
    }

    private String help(String... args) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8);
        programs.run(args, out, out);
        return text.toString(StandardCharsets.UTF_8);
    }

    /** Adds the options of a help text, and the allowed values of each option that takes one. */
    private static void add(String key, String usage, Map<String, String> table) {
        List<String> options = new ArrayList<>();
        Map<String, String> values = new LinkedHashMap<>();
        Matcher option = OPTION.matcher(usage);
        while (option.find()) {
            options.add(option.group(1));
            if (option.group(2) != null) {
                String explanation = option.group(3).replaceAll("\\s+", " ").replace("| ", "|");
                Matcher choices = CHOICES.matcher(explanation);
                values.put(
                        key + " " + option.group(1),
                        choices.find()
                                ? String.join(
                                        " ", Arrays.asList(choices.group(1).split("\\|")))
                                : ANY);
            }
        }
        table.put(key, String.join(" ", options));
        table.putAll(values);
    }
}
