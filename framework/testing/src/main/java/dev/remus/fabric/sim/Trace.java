// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import dev.remus.fabric.CompletionStatus;
import dev.remus.memory.RdmaPtr;
import java.util.ArrayDeque;
import java.util.Deque;
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

    /** Receives the events too, if there is one. */
    private @Nullable TraceListener listener;

    private long dropped;

    /** @param given receives the events too, and names the words; may be null */
    void keepText(@Nullable TraceListener given) {
        lines = new ArrayDeque<>();
        listener = given;
    }

    /** Records a request that the calling thread posts; returns the name of its first word and the line of source. */
    String posted(PostedRequest request) {
        String name = "";
        if (listener != null) {
            name = listener.nameOf(request.pointer());
            listener.posted(request);
        }
        return Stream.of(name, request.source()).filter(part -> !part.isEmpty()).collect(Collectors.joining(", "));
    }

    /** Records that a request has ended, and how. */
    void ended(long request, CompletionStatus status, long[] values, String description) {
        note(description);
        if (listener != null) {
            listener.ended(request, status, values);
        }
    }

    /** Records that one more word of a WRITE is in memory. */
    void placed(long request) {
        if (listener != null) {
            listener.placed(request);
        }
    }

    /** Records that a word has changed. */
    void changed(long pointer, long before, long after) {
        if (lines != null) {
            note("node " + RdmaPtr.node(pointer) + " segment " + RdmaPtr.segment(pointer) + " offset 0x"
                    + Long.toHexString(RdmaPtr.offset(pointer)) + ": 0x" + Long.toHexString(before) + " becomes 0x"
                    + Long.toHexString(after));
            if (listener != null) {
                listener.changed(pointer, before, after);
            }
        }
    }

    /** Records an event that only its description tells. */
    void happened(String what) {
        note(what);
        if (listener != null) {
            listener.noted(what);
        }
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
            if (listener != null) {
                listener.step(number, now, agent.name());
            }
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
