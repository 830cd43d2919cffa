package dev.remus.fabric.sim;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The events of a run: a hash to compare two runs and, on request, the last lines of text for a reader. */
final class Trace {
    /** The most lines that are kept: a run that is stuck has millions of steps. */
    static final int MAX_LINES = 100_000;

    private static final long START = 17;
    private static final long FACTOR = 31;

    private long hash = START;

    /** Null unless requested. */
    private @Nullable Deque<String> lines;

    private LongFunction<String> names = pointer -> "";
    private long dropped;

    /** @param given names the words at raw pointers */
    void keepText(LongFunction<String> given) {
        lines = new ArrayDeque<>();
        names = given;
    }

    /** The name of a word and the calling thread's line of source, as far as they are known. */
    String origin(long pointer) {
        return Stream.of(names.apply(pointer), SourceLine.ofCaller())
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }

    boolean isTextKept() {
        return lines != null;
    }

    /** A line for each step, followed by its events; empty unless it is kept. Of a long run, the last lines. */
    String text() {
        if (lines == null) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        if (dropped > 0) {
            text.append("... ").append(dropped).append(" earlier lines were dropped\n");
        }
        lines.forEach(line -> text.append(line).append('\n'));
        return text.toString();
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
        if (lines != null) {
            add(lines, number + " " + now + " " + agent.name());
        }
    }

    /** Records an event of the current step. */
    void note(String what) {
        if (lines != null) {
            add(lines, "    " + what);
        }
    }

    private void add(Deque<String> to, String line) {
        if (to.size() == MAX_LINES) {
            to.removeFirst();
            dropped++;
        }
        to.addLast(line);
    }
}
