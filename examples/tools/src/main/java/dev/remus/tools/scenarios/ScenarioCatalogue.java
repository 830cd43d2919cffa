package dev.remus.tools.scenarios;

import dev.remus.simulation.Scenario;
import java.util.List;
import java.util.function.Function;

/** The scenarios by name, each in its usual size, for those who run them otherwise than this package does. */
public final class ScenarioCatalogue implements Function<String, Scenario> {
    /** The names. */
    public static List<String> names() {
        return NamedScenario.ALL.stream().map(NamedScenario::name).toList();
    }

    /** Makes the scenario of a name. */
    @Override
    public Scenario apply(String name) {
        NamedScenario scenario = NamedScenario.find(name).orElseThrow();
        return scenario.factory().apply(scenario.usual());
    }
}
