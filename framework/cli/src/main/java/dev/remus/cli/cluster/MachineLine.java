package dev.remus.cli.cluster;

import dev.remus.cli.progress.ProgressView;
import java.io.PrintStream;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A line of a node's standard output for the process that started it: the node's progress, or a part of the result of
 * the whole cluster, for the user. All other lines go to the user as they are.
 */
public final class MachineLine {
    private static final String PROGRESS = "@remus progress ";
    private static final String CONCLUSION = "@remus conclusion ";

    private MachineLine() {}

    /**
     * How far a node is.
     *
     * @param phase the name of the phase
     * @param done how much it has done of that
     * @param total how much all nodes have to do; how many milliseconds the phase takes, if it ends after a time
     * @param millis how many of these have passed; empty for a phase that ends when all is done
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

    /** The progress in a line of a node; empty if it is another kind of line. */
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

    /** Shows progress to the process that started this one. */
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
