package dev.remus.fabric.sim;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still until it is told to go on, and the alarms of those who wait for a moment. In nanoseconds.
 */
final class VirtualTime {
    private record Alarm(Agent agent, long at, long number) {
        /** Whether its agent still waits, and for this alarm. */
        private boolean isSet() {
            return agent.alarm == number && agent.isAsleep();
        }
    }

    /** Of two at the same moment, that of the older agent comes first. */
    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>(Comparator.comparingLong(Alarm::at)
            .thenComparingLong(alarm -> alarm.agent().number()));

    private long now;

    long now() {
        return now;
    }

    /** Lets time go by; whose alarm that reaches is to be {@linkplain #takeDue taken}. */
    void pass(long nanos) {
        now += nanos;
    }

    /** Wakes an agent, which is asleep from now on, after that time, unless it is given another alarm before. */
    void setAlarm(Agent agent, long nanos) {
        agent.alarm++;
        alarms.add(new Alarm(agent, now + nanos, agent.alarm));
    }

    /** Moves the clock to the next moment at which a task wakes up; false if there is none. */
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

    /** The tasks that wake up by now, the earliest first; null if none is left. Each alarm is returned once. */
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
