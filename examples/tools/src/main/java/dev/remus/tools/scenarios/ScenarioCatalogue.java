// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.scenarios;

import dev.remus.simulation.Scenario;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** A factory of scenarios by name, in their default sizes. */
public final class ScenarioCatalogue implements Function<String, Scenario> {
    /** All scenarios that are expected to be clean, including those of new structures. */
    public static final List<NamedScenario> ALL = Stream.of(
                    SetScenarios.ALL, QueueScenarios.ALL, CoordinationScenarios.ALL, FrameworkScenarios.ALL)
            .flatMap(List::stream)
            .toList();

    /** Scenarios that fail, because what they check has known mistakes: to be found by name, for practice. */
    public static final List<NamedScenario> FLAWED = QueueScenarios.FLAWED;

    /** The names of all scenarios but the flawed ones. */
    public static List<String> names() {
        return ALL.stream().map(NamedScenario::name).toList();
    }

    /** Finds a scenario by name, a flawed one too. */
    public static Optional<NamedScenario> find(String name) {
        return Stream.concat(ALL.stream(), FLAWED.stream())
                .filter(scenario -> scenario.name().equals(name))
                .findFirst();
    }

    /** Creates the scenario with a name. */
    @Override
    public Scenario apply(String name) {
        NamedScenario scenario = find(name).orElseThrow();
        return scenario.factory().apply(scenario.defaultSize());
    }
}
