// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.torture;

import java.util.List;

/**
 * The outcome of a trial.
 *
 * @param point the point that the cluster had reached
 * @param isLate whether the node had finished its part already, so that its loss went unnoticed
 * @param millis the time from the fault to the end of the last process
 * @param violations the violations found; empty if the trial passed
 * @param output the lines that the nodes printed
 */
record TrialOutcome(
        TorturePlan plan,
        InjectionPoint point,
        boolean isLate,
        long millis,
        List<String> violations,
        List<String> output) {
    boolean isFailure() {
        return !violations.isEmpty();
    }

    /** Whether it counts towards the requested kills. */
    boolean isKill() {
        return !isLate && (plan.fault() == NodeFault.KILL || plan.fault() == NodeFault.KILL_ALL);
    }
}
