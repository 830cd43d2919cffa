// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.documents;

import dev.remus.launcher.Main;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All commands and options, parsed from the completion script. */
final class Commands {
    private static final Pattern LINE = Pattern.compile("(?m)^ +'([^']*)'\\) echo '([^']*)' ;;$");
    private static final Pattern OPTION = Pattern.compile("(?m)^  (--[a-z][a-z0-9-]*)");

    private final Map<String, Set<String>> words = new TreeMap<>();

    Commands() {
        LINE.matcher(output("completion", "bash"))
                .results()
                .forEach(line -> words.put(line.group(1), Set.of(line.group(2).split(" "))));
        for (List<String> special : List.of(
                List.of("check", "--mutants"),
                List.of("check", "--progress"),
                List.of("queue", "--fabric", "sim"),
                List.of("kv", "--fabric", "sim"))) {
            Set<String> all = new LinkedHashSet<>(words.get(special.get(0)));
            String help =
                    output(Stream.concat(special.stream(), Stream.of("--help")).toArray(String[]::new));
            OPTION.matcher(help).results().forEach(option -> all.add(option.group(1)));
            words.put(special.get(0), all);
        }
    }

    static String output(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        Main.run(args, stream, stream);
        return out.toString(StandardCharsets.UTF_8);
    }

    Set<String> names() {
        return words.get("");
    }

    /** The options allowed in a command line. */
    Set<String> options(List<String> call) {
        boolean isSuite = call.size() > 1
                && words.containsKey(call.get(0) + " " + call.get(1))
                && !call.get(1).startsWith("-");
        return words.getOrDefault(isSuite ? call.get(0) + " " + call.get(1) : call.get(0), Set.of());
    }

    /** The suites of bench. */
    Set<String> suites() {
        return words.get("bench");
    }

    /** All options of all commands. */
    Set<String> options() {
        return words.values().stream()
                .flatMap(Set::stream)
                .filter(word -> word.startsWith("--"))
                .collect(Collectors.toSet());
    }
}
