// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.results;

import dev.remus.cli.cluster.RunRecord;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The origin of a folder of results: all that is needed to repeat the measurement. The file {@code provenance.json} of
 * the folder holds it.
 *
 * @param started the time at which the measurement began
 * @param command the words of the command line after {@code ./remus}, exactly as they were given
 * @param seeds the seeds that the command used, by option, including those that it took from the clock
 * @param javaOptions the JVM options of each node; empty if the command starts no nodes
 * @param software the versions of this project and of Java, by name
 * @param machine the parts of the machine, by name
 * @param environment the variables of the environment that have an effect, by name, without those that are not set
 * @param load the load of the machine when this was written; empty before that, and where it is unknown
 */
public record Provenance(
        Instant started,
        List<String> command,
        Map<String, String> seeds,
        List<String> javaOptions,
        Map<String, String> software,
        Map<String, String> machine,
        Map<String, String> environment,
        String load) {
    private static final List<String> VARIABLES = List.of("REMUS_JAVA_OPTS", "REMUS_SHM_DIR");

    /** Copies the collections. */
    public Provenance {
        command = List.copyOf(command);
        seeds = Collections.unmodifiableMap(new LinkedHashMap<>(seeds));
        javaOptions = List.copyOf(javaOptions);
        software = Collections.unmodifiableMap(new LinkedHashMap<>(software));
        machine = Collections.unmodifiableMap(new LinkedHashMap<>(machine));
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    }

    /**
     * That of a measurement which begins now.
     *
     * @param arguments the parsed command line
     * @param command the words before it, such as {@code bench sim}
     */
    public static Provenance begin(Arguments arguments, String... command) {
        List<String> words = new ArrayList<>(List.of(command));
        words.addAll(arguments.words());
        return here(Instant.now(), words, List.of());
    }

    /** That of a run of a program. */
    public static Provenance of(RunRecord record) {
        return here(record.started(), record.command(), record.javaFlags());
    }

    private static Provenance here(Instant started, List<String> command, List<String> javaOptions) {
        Map<String, String> environment = new LinkedHashMap<>();
        for (String variable : VARIABLES) {
            String value = System.getenv(variable);
            if (value != null) {
                environment.put(variable, value);
            }
        }
        return new Provenance(
                started,
                command,
                Map.of(),
                javaOptions,
                Software.versions(),
                Machine.here().toMap(),
                environment,
                "");
    }

    /** The same with a seed that the command used. */
    public Provenance withSeed(OptionSpec<Long> option, long seed) {
        Map<String, String> all = new LinkedHashMap<>(seeds);
        all.put(option.name(), Long.toString(seed));
        return with(command, all);
    }

    /** The same with another command line, for a program that another command starts. */
    public Provenance withCommand(List<String> words) {
        return with(words, seeds);
    }

    private Provenance with(List<String> words, Map<String, String> allSeeds) {
        return new Provenance(started, words, allSeeds, javaOptions, software, machine, environment, load);
    }

    /** The command line, quoted for a shell. */
    public String commandLine() {
        return RunRecord.commandLine(command);
    }

    /** The versions, the machine and the environment by name: all that may differ when the command is repeated. */
    public Map<String, String> conditions() {
        Map<String, String> all = new LinkedHashMap<>(software);
        all.putAll(machine);
        for (String variable : VARIABLES) {
            all.put(variable, environment.getOrDefault(variable, "not set"));
        }
        return all;
    }

    /** Everything by name, for readers. */
    public Map<String, String> facts() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("command", commandLine());
        all.put("started", started.toString());
        seeds.forEach((option, seed) -> all.put("seed (" + option + ")", seed));
        all.putAll(software);
        all.putAll(machine);
        all.putAll(environment);
        if (!javaOptions.isEmpty()) {
            all.put("Java options", String.join(" ", javaOptions));
        }
        if (!load.isEmpty()) {
            all.put("load at the end", load);
        }
        return all;
    }

    /** Whether the sources had changes that are not in the commit. */
    public boolean isModified() {
        return software.getOrDefault("commit", "").endsWith(Software.MODIFIED);
    }
}
