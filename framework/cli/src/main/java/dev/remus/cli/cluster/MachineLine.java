// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.cluster;

import dev.remus.cli.progress.ProgressView;
import java.io.PrintStream;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The lines of standard output by which a node reports its progress and the result of the cluster to its parent
 * process. All other lines are shown to the user unchanged.
 */
public final class MachineLine {
    private static final String PROGRESS = "@remus progress ";
    private static final String CONCLUSION = "@remus conclusion ";

    private MachineLine() {}

    /**
     * The progress of a node.
     *
     * @param phase the name of the phase
     * @param done the work that the node has done in this phase
     * @param total the work of all nodes; the length in milliseconds for a timed phase
     * @param millis the milliseconds elapsed in a timed phase; empty for other phases
     */
    public record Progress(String phase, long done, long total, OptionalLong millis) {}

    static String progress(String phase, long done, long total) {
        return PROGRESS + phase + " " + done + " " + total;
    }

    static String progressInTime(String phase, long done, long millis, long ofMillis) {
        return progress(phase, done, ofMillis) + " " + millis;
    }

    static String conclusion(String text) {
        return CONCLUSION + text;
    }

    /** Parses a line of progress; empty if it is another kind of line. */
    public static Optional<Progress> readProgress(String line) {
        if (!line.startsWith(PROGRESS)) {
            return Optional.empty();
        }
        String[] words = line.substring(PROGRESS.length()).split(" ");
        OptionalLong millis = words.length > 3 ? OptionalLong.of(Long.parseLong(words[3])) : OptionalLong.empty();
        return Optional.of(new Progress(words[0], Long.parseLong(words[1]), Long.parseLong(words[2]), millis));
    }

    static Optional<String> readConclusion(String line) {
        return line.startsWith(CONCLUSION) ? Optional.of(line.substring(CONCLUSION.length())) : Optional.empty();
    }

    /** A view that prints progress for the parent process. */
    static ProgressView view(PrintStream out) {
        return new ProgressView() {
            private String last = "";

            @Override
            public void show(String phase, long done, long total) {
                print(progress(phase, done, total));
            }

            @Override
            public void showTime(String phase, long done, long millis, long ofMillis) {
                print(progressInTime(phase, done, millis, ofMillis));
            }

            private void print(String line) {
                if (!line.equals(last)) {
                    last = line;
                    out.println(line);
                }
            }

            @Override
            public void close() {}
        };
    }
}
