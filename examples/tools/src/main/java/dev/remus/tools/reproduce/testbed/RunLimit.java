// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.testbed;

import java.time.Duration;

/**
 * When a run is considered stuck. A thread may wait for an item that a wrong structure has lost.
 *
 * @param steps the most steps of a run in the simulator
 * @param time the longest time of a run elsewhere
 */
public record RunLimit(long steps, Duration time) {
    /** Many times longer than any run of the experiments takes. */
    public static final RunLimit GENEROUS = new RunLimit(1_000_000_000, Duration.ofMinutes(10));
}
