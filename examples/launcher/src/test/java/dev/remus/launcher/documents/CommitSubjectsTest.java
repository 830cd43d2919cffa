// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.remus.source.SourceTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Subjects of commits are short. Skipped where there is no history, as in an archive of the sources. */
@Tag("processes")
@Timeout(120)
class CommitSubjectsTest {
    private static final int MAX_COLUMNS = 72;

    /** The last commit whose subject is longer. */
    private static final String SINCE = "b58a8818629498e00f2c3511e03974aa5e47142c";

    private record Ended(int status, String output) {}

    private static Ended git(String... arguments) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("git", "-C", SourceTree.ROOT.toString());
        builder.command().addAll(List.of(arguments));
        return run(builder);
    }

    private static Ended run(ProcessBuilder builder) throws IOException, InterruptedException {
        Process process = builder.redirectErrorStream(true).start();
        try (var output = process.getInputStream()) {
            String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
            return new Ended(process.waitFor(), text);
        }
    }

    private static List<String> tooLong(List<String> subjects) {
        return subjects.stream()
                .filter(subject -> subject.codePointCount(0, subject.length()) > MAX_COLUMNS || subject.endsWith("."))
                .toList();
    }

    @Test
    void noSubjectHasMoreThan72ColumnsOrEndsWithAPeriod() throws Exception {
        assumeThat(Files.exists(SourceTree.ROOT.resolve(".git")))
                .as("this is a checkout of git")
                .isTrue();
        Ended start = git("merge-base", "--is-ancestor", SINCE, "HEAD");
        assumeThat(start.status())
                .as("the history reaches back to %s: %s", SINCE, start.output())
                .isZero();
        Ended log = git("log", "--no-merges", "--format=%s", SINCE + "..HEAD");
        assertThat(log.status()).as(log.output()).isZero();
        assertThat(log.output()).isNotBlank();
        assertThat(tooLong(log.output().lines().toList())).isEmpty();
    }

    @Test
    void aSubjectOf73ColumnsIsTooLong() {
        String allowed = "x".repeat(MAX_COLUMNS);
        assertThat(tooLong(List.of(allowed, allowed + "x", "Ends with a period.")))
                .containsExactly(allowed + "x", "Ends with a period.");
    }

    private static Ended commit(String message, Path folder) throws IOException, InterruptedException {
        Path hook = SourceTree.ROOT.resolve(".ci/hooks/commit-msg");
        Path file = Files.writeString(folder.resolve("message"), message);
        return run(new ProcessBuilder("sh", hook.toString(), file.toString()));
    }

    @Test
    void theHookRefusesWhatThisTestWouldNotAccept(@TempDir Path folder) throws Exception {
        String allowed = "x".repeat(MAX_COLUMNS);
        String body = "\n\n" + "A body may be as long as it needs to be. ".repeat(3) + "\n";
        assertThat(commit(allowed + body, folder)).isEqualTo(new Ended(0, ""));
        assertThat(commit(allowed + "x" + body, folder))
                .isEqualTo(new Ended(1, "commit: the subject has 73 columns, needs 72 at most\n"));
        assertThat(commit("Ends with a period." + body, folder))
                .isEqualTo(new Ended(1, "commit: the subject ends with a period\n"));
    }
}
