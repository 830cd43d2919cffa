package dev.remus.tools.scenarios;

import dev.remus.simulation.Scenario;
import java.util.List;
import java.util.function.Function;

/** A factory of scenarios by name, in their default sizes. */
public final class ScenarioCatalogue implements Function<String, Scenario> {
    /** The names of all scenarios. */
    public static List<String> names() {
        return NamedScenario.ALL.stream().map(NamedScenario::name).toList();
    }

    /** Creates the scenario with a name. */
    @Override
    public Scenario apply(String name) {
        NamedScenario scenario = NamedScenario.find(name).orElseThrow();
        return scenario.factory().apply(scenario.defaultSize());
    }
}
