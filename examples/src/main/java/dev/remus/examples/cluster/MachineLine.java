package dev.remus.examples.cluster;

import dev.remus.examples.progress.ProgressView;
import java.io.PrintStream;
import java.util.Optional;

/**
 * What a node tells the process that started it, as lines of its standard output: how far it is, and what is to be shown
 * to the user as the result of the whole cluster. All other lines are for the user as they are.
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
     * @param total how much all nodes have to do
     */
    public record Progress(String phase, long done, long total) {}

    static String progress(String phase, long done, long total) {
        return PROGRESS + phase + " " + done + " " + total;
    }

    static String conclusion(String text) {
        return CONCLUSION + text;
    }

    /** What a line of a node says about its progress; empty if it is another kind of line. */
    public static Optional<Progress> readProgress(String line) {
        if (!line.startsWith(PROGRESS)) {
            return Optional.empty();
        }
        String[] words = line.substring(PROGRESS.length()).split(" ");
        return Optional.of(new Progress(words[0], Long.parseLong(words[1]), Long.parseLong(words[2])));
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
                String line = progress(phase, done, total);
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
