// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The launcher names the commit from which it has built. */
@Tag("processes")
@Tag("any-jdk")
@Timeout(60)
class CommitTest {
    @TempDir
    private Path folder;

    private String bash(String program) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        "bash",
                        "-euc",
                        program,
                        "bash",
                        Path.of("../../.ci/commit.sh").toAbsolutePath().toString(),
                        folder.toString())
                .redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
        Process bash = builder.start();
        String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(bash.exitValue()).as(output).isZero();
        return output.strip();
    }

    private String commit() throws Exception {
        return bash("source \"$1\"; print_commit \"$2\" pom.xml sources");
    }

    private void makeRepository() throws Exception {
        Files.createDirectories(folder.resolve("sources"));
        Files.writeString(folder.resolve("sources/a"), "1");
        Files.writeString(folder.resolve("note"), "1");
        bash("cd \"$2\"; git init -q; git add .; git -c user.name=a -c user.email=a@b.invalid commit -q -m first");
    }

    @Test
    void aCheckoutWithoutChangesHasItsCommit() throws Exception {
        makeRepository();
        assertThat(commit()).matches("[0-9a-f]{40}");
    }

    @Test
    void aChangedOrANewSourceIsNamedAndOtherFilesAreNot() throws Exception {
        makeRepository();
        Files.writeString(folder.resolve("note"), "2");
        assertThat(commit()).matches("[0-9a-f]{40}");
        Files.writeString(folder.resolve("sources/new"), "2");
        assertThat(commit()).matches("[0-9a-f]{40}-modified");
    }

    @Test
    void aFolderThatIsNoCheckoutHasNone() throws Exception {
        assertThat(commit()).isEmpty();
    }

    @Test
    void withoutGitThereIsNone() throws Exception {
        makeRepository();
        assertThat(bash("source \"$1\"; PATH=/nowhere; print_commit \"$2\" sources"))
                .isEmpty();
    }
}
