// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.detection;

import dev.remus.simulation.Schedule;
import dev.remus.simulation.ScheduleMix;
import dev.remus.simulation.SchedulerKind;
import java.util.List;
import java.util.function.LongFunction;

/**
 * A way to choose schedules, for comparison.
 *
 * @param name the scheduler, and whether there are faults
 * @param schedules the schedule of a seed
 */
record SearchMethod(String name, LongFunction<Schedule> schedules) {
    private static final String DEFAULT = SchedulerKind.MIX.toString();

    /** The default, and each scheduler without faults and with those of the default. */
    static final List<SearchMethod> ALL = List.of(
            new SearchMethod(DEFAULT, ScheduleMix.DELAYS_AND_BREAKS::schedule),
            plain(SchedulerKind.RANDOM),
            plain(SchedulerKind.PCT),
            plain(SchedulerKind.POS),
            plain(SchedulerKind.SURW),
            disturbed(SchedulerKind.RANDOM),
            disturbed(SchedulerKind.PCT),
            disturbed(SchedulerKind.POS),
            disturbed(SchedulerKind.SURW));

    boolean isDefault() {
        return name.equals(DEFAULT);
    }

    private static SearchMethod plain(SchedulerKind kind) {
        return new SearchMethod(kind.toString(), kind::schedule);
    }

    private static SearchMethod disturbed(SchedulerKind kind) {
        return new SearchMethod(
                kind + ", faults of mix", seed -> ScheduleMix.DELAYS_AND_BREAKS.disturbed(kind.schedule(seed)));
    }
}
