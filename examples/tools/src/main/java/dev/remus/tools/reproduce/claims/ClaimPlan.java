// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.claims;

import java.util.List;
import java.util.Map;

/**
 * The runs of a {@link ClaimExperiment}.
 *
 * @param rounds how often each run is repeated, with another seed each time
 * @param warmUps how often each run is made before, so that the measured ones run compiled code
 * @param trials the runs of one round
 * @param sections the tables of the report: the conditions of their runs, by heading, in order
 */
public record ClaimPlan(
        int rounds, int warmUps, List<? extends ClaimTrial> trials, Map<String, Map<String, ?>> sections) {}
