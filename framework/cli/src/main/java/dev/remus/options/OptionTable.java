// SPDX-License-Identifier: Apache-2.0
package dev.remus.options;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The options that a program declares in its {@link OptionSet}, and how it is called. */
final class OptionTable {
    /** The help option, part of every program. */
    static final OptionSpec<Boolean> HELP = OptionSpec.flag("--help", "Print this text and do nothing else");

    private static final OptionGroup HELP_GROUP = new OptionGroup("Help", HELP);

    private final String program;
    private final List<OptionGroup> groups = new ArrayList<>();
    private final Map<String, OptionSpec<?>> specs = new LinkedHashMap<>();
    private Optional<String> restName = Optional.empty();
    private boolean requiresOne;
    private Optional<OptionSpec<?>> condition = Optional.empty();
    private Map<String, String> conditional = Map.of();

    OptionTable(String program) {
        this.program = Objects.requireNonNull(program, "program");
    }

    void include(OptionGroup group) {
        for (OptionSpec<?> spec : group.specs()) {
            if (spec.name().equals(HELP.name()) || specs.putIfAbsent(spec.name(), spec) != null) {
                throw new IllegalArgumentException("The option " + spec.name() + " of the group '" + group.title()
                        + "' is declared twice in " + program);
            }
        }
        groups.add(group);
    }

    void allowRest(String argName) {
        restName = Optional.of(argName);
    }

    void requireOne(String argName) {
        allowRest(argName);
        requiresOne = true;
    }

    void defaultsWithout(OptionSpec<?> spec, Map<String, String> values) {
        refuseUnknown(values);
        condition = Optional.of(spec);
        conditional = Map.copyOf(values);
    }

    void refuseUnknown(Map<String, String> values) {
        for (String name : values.keySet()) {
            if (!specs.containsKey(name)) {
                throw new IllegalArgumentException("There is no option " + name + " in " + program);
            }
        }
    }

    /** The groups of the program, and at the end the one of the help option. */
    List<OptionGroup> groups() {
        return Stream.concat(groups.stream(), Stream.of(HELP_GROUP)).toList();
    }

    /** The options by name, in the order of the declaration, without the help option. */
    Map<String, OptionSpec<?>> specs() {
        return specs;
    }

    /** The name of positional arguments; empty if there are none. */
    Optional<String> restName() {
        return restName;
    }

    /** The option without which {@link #conditionalDefault conditional defaults} apply. */
    Optional<OptionSpec<?>> condition() {
        return condition;
    }

    /** The default of an option in a command line without {@link #condition}. */
    Optional<String> conditionalDefault(OptionSpec<?> spec) {
        return Optional.ofNullable(conditional.get(spec.name()));
    }

    /** The defaults of a command line with these options. */
    Map<String, String> conditionalDefaults(Map<String, String> given) {
        return condition.filter(spec -> given.containsKey(spec.name())).isPresent() ? Map.of() : conditional;
    }

    /** Whether a command line with these options needs this one too. */
    boolean isRequired(OptionSpec<?> spec, Map<String, String> given) {
        return spec.isRequired()
                && condition.filter(spec::equals).isEmpty()
                && !conditionalDefaults(given).containsKey(spec.name());
    }

    /** How the program is called, in one line. */
    String synopsis() {
        String required = specs.values().stream()
                .filter(spec -> isRequired(spec, Map.of()))
                .map(spec -> " " + spec.label())
                .collect(Collectors.joining());
        String rest = restName.map(name -> requiresOne ? " <" + name + ">" : " [<" + name + ">...]")
                .orElse("");
        return "Usage: " + program + required + " [options]" + rest;
    }

    UsageException error(String message) {
        return new UsageException(program + ": " + message, program, synopsis());
    }
}
