package dev.remus.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Draws a history for people: time runs downwards, each thread has a column, and a bar joins a call with its return.
 *
 * <pre>
 * thread 0        thread 1
 * insert(3) ─┐
 *            │    contains(3) ─┐
 *   true    ─┘                 │
 *                   false     ─┘ ◄──
 * </pre>
 *
 * <p>A pending operation ends with the word "pending" and a dotted line. Texts that are too long for the width are cut;
 * when there are too many threads for columns, or one has several operations in flight of which more than the last
 * returned, there is one line for each call and each return instead.
 *
 * @param width most characters on a line, at least 40
 * @param ascii whether to do without the characters that draw lines
 */
public record Timeline(int width, boolean ascii) {
    private static final int NARROWEST = 40;

    /** Checks the width. */
    public Timeline {
        if (width < NARROWEST) {
            throw new IllegalArgumentException("a timeline of " + width + " characters: needs at least " + NARROWEST);
        }
    }

    /** A timeline for a usual terminal. */
    public Timeline() {
        this(100, false);
    }

    /** The same with other characters. */
    public Timeline withAscii(boolean ascii) {
        return new Timeline(width, ascii);
    }

    /** Draws the history. */
    public String draw(History<?, ?> history) {
        return draw(history, null);
    }

    /** Draws the history that decided a verdict, with an arrow where no order gets on, and the verdict in one line. */
    public String draw(Verdict<?, ?> verdict) {
        String text = verdict.toString();
        return draw(verdict.history(), verdict.isRejected() ? verdict.culprit() : null)
                + (ascii ? text.replace("→", "->") : text) + "\n";
    }

    private String draw(History<?, ?> history, @Nullable Invocation<?, ?> marked) {
        int markedId = marked == null ? -1 : marked.id();
        String text = TimelineColumns.fit(history, this)
                ? new TimelineColumns(history, this).draw(markedId)
                : lines(history, markedId);
        boolean pending = history.pending() > 0;
        return pending
                ? text + "what is pending may have happened at any moment after its call, or not at all\n"
                : text;
    }

    private String lines(History<?, ?> history, int marked) {
        StringBuilder text = new StringBuilder();
        for (Event event : Event.of(history)) {
            Invocation<?, ?> invocation = event.invocation();
            String line = "thread " + invocation.thread() + "  " + invocation.operation()
                    + (event.isReturn() ? (ascii ? " -> " : " → ") + result(invocation) : (ascii ? " ..." : " …"));
            text.append(cut(line, width - arrow().length()))
                    .append(event.isReturn() && invocation.id() == marked ? arrow() : "")
                    .append('\n');
        }
        return text.toString();
    }

    /** A call or a return. */
    record Event(long moment, boolean isReturn, Invocation<?, ?> invocation) {
        private static final Comparator<Event> ORDER = Comparator.comparingLong(Event::moment)
                .thenComparing(Event::isReturn)
                .thenComparing(e -> e.invocation().id());

        /** Calls and returns in the order of time; what is pending ends at the end. */
        static List<Event> of(History<?, ?> history) {
            List<Event> events = new ArrayList<>();
            for (Invocation<?, ?> invocation : history.invocations()) {
                events.add(new Event(invocation.called(), false, invocation));
                events.add(new Event(invocation.returned(), true, invocation));
            }
            events.sort(ORDER);
            return events;
        }
    }

    static String result(Invocation<?, ?> invocation) {
        return invocation.isPending() ? "pending" : String.valueOf(invocation.result());
    }

    String arrow() {
        return ascii ? " <--" : " ◄──";
    }

    String cut(String words, int length) {
        String end = ascii ? "..." : "…";
        return words.length() <= length ? words : words.substring(0, length - end.length()) + end;
    }
}
