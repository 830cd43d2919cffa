package dev.remus.examples;

import dev.remus.examples.cluster.ExitStatus;
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

/**
 * Prints a script by which a shell completes command lines of {@code ./remus}. What it offers is read from what the
 * commands say of themselves with {@code --help}, which is made from their options: so it knows every command and option
 * that there is, and none that is not.
 */
final class CompletionCommand {
    static final String NAME = "completion";
    static final String SUMMARY = "Prints a script by which bash or zsh completes commands, options and choices.";

    /** What the launcher does by itself. A test compares it with the launcher. */
    static final Map<String, String> LAUNCHER = launcher();

    private static final String USAGE = """
            Usage: completion bash|zsh

            %s

            Examples
              source <(./remus completion bash)
              ./remus completion zsh > ~/.remus-completion.zsh   # and: source it in ~/.zshrc
            """.formatted(SUMMARY);

    /** An option of a usage text, and the lines of its explanation. */
    private static final Pattern OPTION =
            Pattern.compile("(?m)^  (--[a-z0-9-]+)( <[^>\n]+>)?((?: .*)?(?:\n {5,}\\S.*)*)$");

    private static final Pattern CHOICES =
            Pattern.compile("\\((?:[^()]*; )?([A-Za-z0-9-]+(?:\\|[A-Za-z0-9-]+)+)\\)\\s*$");
    private static final Pattern SUITE = Pattern.compile("(?m)^  ([a-z][a-z-]+) +\\S.*$");

    /** Stands for a value that only the user knows. */
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

    private final List<Command> commands;

    /** @param commands of which the script shall know */
    CompletionCommand(List<Command> commands) {
        this.commands = commands;
    }

    private static Map<String, String> launcher() {
        Map<String, String> words = new LinkedHashMap<>();
        words.put("test", "--quick --all --bare --tutorial --help");
        words.put("run", ANY);
        words.put("site", "");
        words.put("rxe-vm", "--");
        words.put("build", "--help");
        words.put("clean", "--help");
        words.put("help", "");
        return words;
    }

    /** @return an {@link ExitStatus} */
    int run(PrintStream out, PrintStream err, String... args) {
        String shell = args.length == 1 ? args[0] : "";
        switch (shell) {
            case "--help" -> out.print(USAGE);
            case "bash" -> out.print(script());
            case "zsh" -> out.print(ZSH + script());
            default -> {
                err.print("remus completion: got '" + String.join(" ", args) + "', needs bash or zsh\n\n" + USAGE);
                return ExitStatus.NOT_STARTED;
            }
        }
        out.flush();
        return ExitStatus.OK;
    }

    private String script() {
        Map<String, String> table = new LinkedHashMap<>();
        List<String> names =
                new ArrayList<>(commands.stream().map(Command::name).toList());
        names.addAll(LAUNCHER.keySet());
        table.put("", String.join(" ", names));
        table.putAll(LAUNCHER);
        for (Command command : commands) {
            if (!command.name().equals(NAME)) {
                add(command.name(), help(command, "--help"), table);
            }
        }
        table.put(NAME, "bash zsh --help");
        for (Command command : commands) {
            String usage = command.name().equals(NAME) ? "" : help(command, "--help");
            int suites = usage.indexOf("\nSuites\n");
            if (suites >= 0) {
                List<String> words = new ArrayList<>();
                Matcher suite = SUITE.matcher(usage.substring(suites));
                while (suite.find()) {
                    words.add(suite.group(1));
                    add(command.name() + " " + suite.group(1), help(command, suite.group(1), "--help"), table);
                }
                table.put(command.name(), String.join(" ", words));
            }
        }
        StringBuilder script = new StringBuilder(
                "# Completes ./remus; made by ./remus completion.\n_remus_words() {\n    case $1 in\n");
        table.forEach((key, words) -> script.append("        '")
                .append(key)
                .append("') echo '")
                .append(words)
                .append("' ;;\n"));
        return script + "    esac\n}\n" + FUNCTIONS;
    }

    private static String help(Command command, String... args) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8);
        command.body().run(out, out, args);
        return text.toString(StandardCharsets.UTF_8);
    }

    /** Adds the options of a usage text, and for each that takes a value what that can be. */
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
