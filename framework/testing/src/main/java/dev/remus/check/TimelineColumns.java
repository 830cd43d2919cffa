// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Draws a {@link Timeline} with a column for each thread. Used once. */
final class TimelineColumns {
    private static final int SHORTEST_LABEL = 9;
    private static final int GAP = 4;
    /** A blank, a dash and the bar. */
    private static final int BAR = 3;

    private final History<?, ?> history;
    private final TimelineStyle style;
    private final int label;
    private final String idle;
    private final Map<Integer, Integer> columnOf = new HashMap<>();
    /** The cell of each column on a line without an event of its thread. */
    private final String[] cells;

    private final StringBuilder text = new StringBuilder();

    TimelineColumns(History<?, ?> history, TimelineStyle style) {
        this.history = history;
        this.style = style;
        label = Math.min(longest(history), room(history, style));
        idle = " ".repeat(label + BAR);
        List<Integer> threads = history.threads();
        cells = new String[threads.size()];
        Arrays.fill(cells, idle);
        for (int c = 0; c < cells.length; c++) {
            columnOf.put(threads.get(c), c);
        }
    }

    /** Whether columns can show this history. */
    static boolean fit(History<?, ?> history, TimelineStyle style) {
        Map<Integer, Invocation<?, ?>> last = new HashMap<>();
        for (Invocation<?, ?> invocation : history.invocations()) {
            Invocation<?, ?> before = last.put(invocation.thread(), invocation);
            if (before != null && !before.isPending() && !before.isBefore(invocation)) {
                return false;
            }
        }
        return room(history, style) >= Math.min(SHORTEST_LABEL, longest(history));
    }

    /** The longest text in a column. */
    private static int longest(History<?, ?> history) {
        int longest = 0;
        for (Invocation<?, ?> i : history.invocations()) {
            longest = Math.max(longest, header(i.thread()).length());
            longest = Math.max(longest, i.operation().toString().length());
            longest = Math.max(longest, answer(i).length());
        }
        return longest;
    }

    /** The longest text for which a column has room. */
    private static int room(History<?, ?> history, TimelineStyle style) {
        int columns = Math.max(1, history.threads().size());
        return (style.width() - style.arrow().length() + GAP) / columns - GAP - BAR;
    }

    /** @param marked id of the invocation whose return gets an arrow */
    String draw(int marked) {
        List<String> headers = history.threads().stream()
                .map(thread -> padded(header(thread)) + " ".repeat(BAR))
                .toList();
        text.append(String.join(" ".repeat(GAP), headers).stripTrailing()).append('\n');
        Map<Integer, Invocation<?, ?>> open = new HashMap<>();
        for (TimelineEvent event : TimelineEvent.of(history)) {
            Invocation<?, ?> invocation = event.invocation();
            if (!event.isReturn()) {
                Invocation<?, ?> given = open.put(invocation.thread(), invocation);
                if (given != null) {
                    end(given, false); // pending, and its thread goes on without it
                }
                begin(invocation);
            } else if (open.remove(invocation.thread(), invocation)) {
                end(invocation, invocation.id() == marked);
            }
        }
        return text.toString();
    }

    private void begin(Invocation<?, ?> invocation) {
        String words = padded(invocation.operation().toString()) + (style.ascii() ? " -+" : " ─┐");
        line(invocation, words, " ".repeat(label + BAR - 1) + (style.ascii() ? "|" : "│"), false);
    }

    private void end(Invocation<?, ?> invocation, boolean isMarked) {
        String dash = style.ascii() ? (invocation.isPending() ? "~" : "-") : (invocation.isPending() ? "┄" : "─");
        line(invocation, padded(answer(invocation)) + " " + dash + (style.ascii() ? "+" : "┘"), idle, isMarked);
    }

    /** Writes a line with an event of one thread; the others continue unchanged. */
    private void line(Invocation<?, ?> invocation, String words, String afterwards, boolean isMarked) {
        int column = Objects.requireNonNull(columnOf.get(invocation.thread()), "every thread has a column");
        cells[column] = words;
        text.append(String.join(" ".repeat(GAP), cells).stripTrailing())
                .append(isMarked ? style.arrow() : "")
                .append('\n');
        cells[column] = afterwards;
    }

    private static String header(int thread) {
        return "thread " + thread;
    }

    private static String answer(Invocation<?, ?> invocation) {
        return "  " + TimelineEvent.result(invocation);
    }

    private String padded(String words) {
        String cut = style.cut(words, label);
        return cut + " ".repeat(label - cut.length());
    }
}
