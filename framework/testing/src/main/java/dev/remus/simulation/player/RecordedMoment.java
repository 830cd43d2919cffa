// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.player;

import java.util.ArrayList;
import java.util.List;

/**
 * A step of a run in which something has happened.
 *
 * @param step the number of the step
 * @param nanos the virtual time in nanoseconds
 * @param agent the thread or lane that went on
 * @param events what has happened, in order
 */
record RecordedMoment(long step, long nanos, String agent, List<Event> events) {
    RecordedMoment(long step, long nanos, String agent) {
        this(step, nanos, agent, new ArrayList<>());
    }
}
