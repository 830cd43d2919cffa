package dev.remus.tools.torture;

import java.util.List;

/**
 * How a trial has ended.
 *
 * @param moment how far the cluster was
 * @param isLate whether the node had done its part already, so that nobody could miss it
 * @param millis from the blow to the end of the last process
 * @param complaints what should not be so; empty if all is well
 * @param output what the nodes have printed
 */
record TrialOutcome(
        TorturePlan plan, Moment moment, boolean isLate, long millis, List<String> complaints, List<String> output) {
    boolean isFailure() {
        return !complaints.isEmpty();
    }

    /** Whether it counts as one of the kills that the user wants. */
    boolean isKill() {
        return !isLate && (plan.blow() == Blow.KILL || plan.blow() == Blow.KILL_ALL);
    }
}
