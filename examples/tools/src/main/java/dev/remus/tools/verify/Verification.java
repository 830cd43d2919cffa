// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.verify;

import dev.remus.check.History;
import dev.remus.check.Invocation;
import dev.remus.structures.verify.RunVerdict;
import dev.remus.structures.verify.RunVerdict.Evidence;
import dev.remus.verify.RecordedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * The verdict on the operations of a run.
 *
 * @param verdict the verdict
 * @param withdrawn the number of operations whose results promise nothing, and that are not among those judged
 * @param clockErrorNanos the most by which the clock of another machine was misjudged; 0 on one machine
 */
public record Verification(RunVerdict verdict, long withdrawn, long clockErrorNanos) {
    private static final String DRAWING = "history.txt";
    private static final String OPERATIONS = "history.csv";

    /** The verdict on a run. */
    public static Verification of(RecordedRun run, RunVerdict verdict) {
        return new Verification(verdict, run.withdrawn(), run.clockErrorNanos());
    }

    /** Whether the structure kept its promise. */
    public boolean isAccepted() {
        return verdict.isAccepted();
    }

    /** What went wrong, in one line; empty if the structure kept its promise. */
    public Optional<String> finding() {
        return verdict.evidence().map(Evidence::reason);
    }

    /** The verdict in one line. */
    public String line() {
        StringBuilder line = new StringBuilder("verified ").append(verdict);
        if (withdrawn > 0) {
            line.append(String.format(Locale.ROOT, "; %,d more without effect are not judged", withdrawn));
        }
        if (clockErrorNanos > 0) {
            line.append(String.format(
                    Locale.ROOT, "; the clocks of other machines are known within %.1f µs", clockErrorNanos / 1e3));
        }
        return line.toString();
    }

    /**
     * If the structure broke its promise, writes the smallest history that shows it as a drawing to {@code
     * history.txt}, and the operations that concern the same key or items to {@code history.csv}.
     *
     * @param folder an existing folder
     * @return the drawing's file, if there is one
     */
    public Optional<Path> write(Path folder) throws IOException {
        if (verdict.evidence().isEmpty()) {
            return Optional.empty();
        }
        Evidence evidence = verdict.evidence().get();
        Files.writeString(folder.resolve(OPERATIONS), csv(evidence.history()));
        return Optional.of(Files.writeString(folder.resolve(DRAWING), evidence.drawing()));
    }

    private static String csv(History<?, ?> history) {
        StringBuilder text = new StringBuilder("thread,operation,result,called_ns,returned_ns\n");
        for (Invocation<?, ?> invocation : history.invocations()) {
            text.append(invocation.thread())
                    .append(',')
                    .append(invocation.operation())
                    .append(',')
                    .append(invocation.isPending() ? "" : invocation.result())
                    .append(',')
                    .append(invocation.called())
                    .append(',')
                    .append(invocation.isPending() ? "" : invocation.returned())
                    .append('\n');
        }
        return text.toString();
    }
}
