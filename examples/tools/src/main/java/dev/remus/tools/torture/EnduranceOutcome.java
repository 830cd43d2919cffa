// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.torture;

import java.util.List;

/**
 * The outcome of a trial with {@code --on-node-loss continue}.
 *
 * @param faults those moments of the plan at which the node still took part
 * @param violations the violations found; empty if the trial passed
 * @param output the lines that the nodes printed
 */
record EnduranceOutcome(EndurancePlan plan, List<Moment> faults, List<String> violations, List<String> output) {
    boolean isFailure() {
        return !violations.isEmpty();
    }

    long count(Moment.Kind kind) {
        return faults.stream().filter(fault -> fault.kind() == kind).count();
    }

    /** All details of a failed trial. */
    String describe() {
        StringBuilder text = new StringBuilder("FAILED " + plan);
        violations.forEach(line -> text.append("\n  ").append(line));
        output.forEach(line -> text.append("\n    ").append(line));
        return text.toString();
    }
}
