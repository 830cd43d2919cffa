// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.player;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An HTML page that plays a recording. It is one file without network access: the script, the style and the recording
 * are in it. The script inserts all texts of the run as text and never as markup.
 */
public final class PlayerPage {
    private PlayerPage() {}

    /** The page of a run that is right. */
    public static String of(Recording recording, Caption caption) {
        return page(caption.title(), RecordingJson.of(recording, caption, -1));
    }

    /** The page of a run that failed with an exception, or whose failure belongs to no operation. */
    public static String ofFailure(Recording recording, Caption caption) {
        return page(caption.title(), RecordingJson.of(recording, caption, recording.failureMoment()));
    }

    /**
     * The page of a run in which the result of an operation was wrong.
     *
     * @param number of the return among all calls and returns that were recorded, from 0
     */
    public static String ofWrongResult(
            Recording recording, Caption caption, long number, int thread, String operation, String result) {
        long violation = recording.returnMoment(number, thread, operation, result);
        return page(caption.title(), RecordingJson.of(recording, caption, violation));
    }

    private static String page(String title, String json) {
        return resource("player.html")
                .replace("@TITLE@", escape(title))
                .replace("@STYLE@", resource("player.css"))
                .replace("@SCRIPT@", script())
                .replace("@RECORDING@", json.replace("<", "\\u003c")); // so that no text ends the element
    }

    private static String script() {
        return Stream.of("model.js", "layout.js", "timeline.js", "player.js")
                .map(PlayerPage::resource)
                .collect(Collectors.joining());
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    private static String resource(String name) {
        try (InputStream in = PlayerPage.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError("a resource of this package", e);
        }
    }
}
