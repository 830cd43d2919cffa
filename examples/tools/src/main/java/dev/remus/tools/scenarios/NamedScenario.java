// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.scenarios;

import dev.remus.simulation.Scenario;
import java.util.function.Function;

/**
 * A scenario that can be checked by name.
 *
 * @param name the name on the command line
 * @param summary the checked property, in a few words
 * @param defaultSize the default size; with 0 keys if the scenario has no keys
 * @param factory creates the scenario in a given size
 */
public record NamedScenario(String name, String summary, Size defaultSize, Function<Size, Scenario> factory) {
    /** Whether the scenario uses keys. */
    public boolean hasKeys() {
        return defaultSize.keys() > 0;
    }
}
