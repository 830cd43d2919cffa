// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A machine that sends the lines of its {@code top --json} on a stream. What is no JSON is a message of a program on
 * the way, such as ssh. A line {@code ended STATUS} follows when the program that sends has ended; it may begin again.
 * One thread reads the stream, another one asks for the news.
 */
final class ReportingMachine {
    /**
     * What is known of the machine.
     *
     * @param sightings its clusters, as it has reported them last
     * @param isKnown whether it has reported, or something is wrong
     * @param trouble what is wrong, and since when; empty if nothing is
     */
    record News(List<Sighting> sightings, boolean isKnown, Optional<String> trouble) {}

    /** Longer than the time between two reports on a machine that is busy. */
    private static final long SILENCE_NANOS = 15_000_000_000L;

    private static final Pattern ENDED = Pattern.compile("ended (\\d+)");

    /** The status with which ssh ends if it has no connection. */
    private static final String NO_CONNECTION = "255";

    private final int id;
    private final String name;
    private List<Sighting> newest = List.of();
    private Optional<LocalTime> reported = Optional.empty();
    private long reportedNanos;
    private String message = "";
    private String trouble = "";

    /**
     * @param id the id of the node that the machine is for
     * @param name its name
     */
    ReportingMachine(int id, String name) {
        this.id = id;
        this.name = name;
    }

    int id() {
        return id;
    }

    String name() {
        return name;
    }

    /** Reads a stream in a thread of its own until it ends. */
    void follow(Path stream) {
        Thread reader = new Thread(() -> read(stream), "remus-top-" + id);
        reader.setDaemon(true);
        reader.start();
    }

    private void read(Path stream) {
        try (BufferedReader lines = Files.newBufferedReader(stream)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                accept(line, System.nanoTime(), LocalTime.now());
            }
            fail("its stream has ended");
        } catch (IOException e) {
            fail("its stream cannot be read: " + e);
        }
    }

    private synchronized void fail(String reason) {
        trouble = trouble.isEmpty() ? reason : trouble;
    }

    /** Takes a line of the stream. */
    synchronized void accept(String line, long nanos, LocalTime time) {
        Matcher ended = ENDED.matcher(line);
        if (line.startsWith("{")) {
            try {
                newest = SightingJson.read(line);
                reported = Optional.of(time);
                reportedNanos = nanos;
                trouble = "";
            } catch (IOException e) {
                trouble = "its report cannot be read: is its build another one?";
            }
            message = "";
        } else if (ended.matches()) {
            trouble = !message.isEmpty()
                    ? message
                    : ended.group(1).equals(NO_CONNECTION)
                            ? "the connection to it has failed"
                            : "its report has ended with status " + ended.group(1);
            message = "";
        } else if (!line.isBlank()) {
            message = line.strip();
        }
    }

    /** What is known now. */
    synchronized News news(long nanos) {
        String reason = !trouble.isEmpty() || reported.isEmpty() || nanos - reportedNanos < SILENCE_NANOS
                ? trouble
                : "it does not answer";
        String since = reported.map(time -> " since " + time.truncatedTo(ChronoUnit.SECONDS))
                .orElse("");
        return new News(
                newest,
                reported.isPresent() || !reason.isEmpty(),
                reason.isEmpty() ? Optional.empty() : Optional.of("no news" + since + ": " + reason));
    }
}
