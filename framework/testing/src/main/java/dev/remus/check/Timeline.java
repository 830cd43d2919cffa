// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

import java.nio.charset.Charset;
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

    /** A timeline for the messages of failed tests, in ASCII if the character set of the locale cannot draw lines. */
    static Timeline forMessages() {
        String name = System.getProperty("stdout.encoding", System.getProperty("native.encoding", "UTF-8"));
        return new Timeline()
                .withAscii(Charset.isSupported(name)
                        && !Charset.forName(name).newEncoder().canEncode('┐'));
    }

    /** The same with other characters. */
    public Timeline withAscii(boolean ascii) {
        return new Timeline(width, ascii);
    }

    /** Draws the history. */
    public String draw(History<?, ?> history) {
        return draw(history, null);
    }

    /** The text with the characters of this timeline. */
    String fit(String words) {
        return ascii ? words.replace("→", "->") : words;
    }

    /** @param marked gets an arrow at its return, unless it is null */
    String draw(History<?, ?> history, @Nullable Invocation<?, ?> marked) {
        int markedId = marked == null ? -1 : marked.id();
        TimelineStyle style = new TimelineStyle(width, ascii);
        String text = TimelineColumns.fit(history, style)
                ? new TimelineColumns(history, style).draw(markedId)
                : lines(history, style, markedId);
        boolean pending = history.pending() > 0;
        return pending
                ? text + "what is pending may have happened at any moment after its call, or not at all\n"
                : text;
    }

    private static String lines(History<?, ?> history, TimelineStyle style, int marked) {
        StringBuilder text = new StringBuilder();
        for (TimelineEvent event : TimelineEvent.of(history)) {
            Invocation<?, ?> invocation = event.invocation();
            String line = "thread " + invocation.thread() + "  " + invocation.operation()
                    + (event.isReturn() ? (style.ascii() ? " -> " : " → ") + event.result() : " ...");
            text.append(style.cut(line, style.width() - style.arrow().length()))
                    .append(event.isReturn() && invocation.id() == marked ? style.arrow() : "")
                    .append('\n');
        }
        return text.toString();
    }
}
