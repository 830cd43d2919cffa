package dev.remus.fabric.sim;

import org.jspecify.annotations.Nullable;

/** The events of a run: a hash to compare two runs and, on request, text for a reader. */
final class Trace {
    private static final long START = 17;
    private static final long FACTOR = 31;

    private long hash = START;

    /** Null unless requested. */
    private @Nullable StringBuilder text;

    void keepText() {
        text = new StringBuilder();
    }

    boolean isTextKept() {
        return text != null;
    }

    /** A line for each step, followed by its events; empty unless it is kept. */
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

    /** Records that an agent goes on. */
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

    /** Records an event of the current step. */
    void note(String what) {
        if (text != null) {
            text.append("    ").append(what).append('\n');
        }
    }
}
