// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** A clock that advances only on request, and the alarms of sleeping agents. In nanoseconds. */
final class VirtualTime {
    private record Alarm(Agent agent, long at, long number) {
        /** Whether its agent still waits, and for this alarm. */
        private boolean isSet() {
            return agent.alarm == number && agent.isAsleep();
        }
    }

    /** Of two alarms at the same moment, that of the older agent comes first. */
    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>(Comparator.comparingLong(Alarm::at)
            .thenComparingLong(alarm -> alarm.agent().number()));

    private long now;

    long now() {
        return now;
    }

    /** Advances the clock; agents with alarms that are then due are to be {@linkplain #takeDue taken}. */
    void pass(long nanos) {
        now += nanos;
    }

    /** Wakes an agent, which is asleep from now on, after that time, unless it is given another alarm before. */
    void setAlarm(Agent agent, long nanos) {
        agent.alarm++;
        alarms.add(new Alarm(agent, now + nanos, agent.alarm));
    }

    /** Moves the clock to the next moment at which an agent wakes up; false if there is none. */
    boolean skipToNextAlarm() {
        while (!alarms.isEmpty() && !alarms.peek().isSet()) {
            alarms.poll();
        }
        if (alarms.isEmpty()) {
            return false;
        }
        now = Math.max(now, alarms.peek().at());
        return true;
    }

    /** Takes the next of the agents that wake up by now, the earliest first; null if none is left. */
    @Nullable
    Agent takeDue() {
        while (!alarms.isEmpty() && alarms.peek().at() <= now) {
            Alarm alarm = alarms.poll();
            if (alarm.isSet()) {
                return alarm.agent();
            }
        }
        return null;
    }
}
