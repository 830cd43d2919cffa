package dev.remus.fabric.sim;

import org.jspecify.annotations.Nullable;

/**
 * What has happened in a run: as a number by which two runs can be compared and, if that is wanted, as text for people.
 */
final class Trace {
    private static final long START = 17;
    private static final long FACTOR = 31;

    private long hash = START;

    /** Null unless it is wanted. */
    private @Nullable StringBuilder text;

    void keepText() {
        text = new StringBuilder();
    }

    boolean isTextKept() {
        return text != null;
    }

    /** A line for each step, and below it what happened in it; empty unless it is kept. */
    String text() {
        return text == null ? "" : text.toString();
    }

    /** Depends on everything that was {@linkplain #mix mixed} in, and on the order. */
    long hash() {
        return hash;
    }

    void mix(long what) {
        hash = hash * FACTOR + what;
    }

    /** A task goes on. */
    void step(long number, long now, Agent agent) {
        mix(agent.number());
        if (text != null) {
            text.append(number)
                    .append(' ')
                    .append(now)
                    .append(' ')
                    .append(agent.name())
                    .append('\n');
        }
    }

    /** Something has happened in the current step. */
    void note(String what) {
        if (text != null) {
            text.append("    ").append(what).append('\n');
        }
    }
}
