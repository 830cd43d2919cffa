// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.openjdk.jmh.results.RunResult;

/**
 * The results on one JDK.
 *
 * @param jdk the JDK
 * @param outcomes in the order of the table
 * @param raw the results of JMH, by benchmark name
 */
record JdkOutcome(Jdk jdk, List<Outcome> outcomes, Map<String, RunResult> raw) {
    static JdkOutcome of(Jdk jdk, List<Subject> subjects, Map<String, RunResult> raw) {
        Map<String, Measurement> measured =
                raw.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, e -> Measurement.of(e.getValue())));
        List<Outcome> outcomes =
                subjects.stream().map(subject -> new Outcome(subject, measured)).toList();
        return new JdkOutcome(jdk, outcomes, raw);
    }

    boolean isComplete() {
        return outcomes.stream().allMatch(Outcome::isComplete);
    }
}
