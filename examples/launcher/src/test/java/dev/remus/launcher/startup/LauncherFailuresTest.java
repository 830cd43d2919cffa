// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The launcher reports failures with a remedy, instead of the errors of the programs that it calls. */
@Tag("processes")
@Tag("any-jdk")
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class LauncherFailuresTest {
    @TempDir
    private Path folder;

    private Path home;
    private Checkout checkout;

    @BeforeEach
    void aCheckoutThatWasNeverBuilt() throws IOException {
        Path project = Files.createDirectory(folder.resolve("project"));
        home = Files.createDirectory(folder.resolve("home"));
        checkout = new Checkout(project)
                .with("JAVA_HOME", System.getProperty("java.home"))
                .with("HOME", home.toString())
                .with("MAVEN_USER_HOME", null);
        checkout.script("mvnw", "echo 'Maven was called' >&2; exit 1");
    }

    private static void assertRejected(Checkout.Call call, String... words) {
        assertThat(call.status()).as(call.err()).isEqualTo(2);
        assertThat(call.err().lines()).as(call.err()).allMatch(line -> line.startsWith("remus: "));
        assertThat(call.complaint()).contains(words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"intset", "build", "test", "site"})
    void anUnwritableBuildFolderIsNamedWithTheReason(String command) throws Exception {
        Path target = Files.createFile(folder.resolve("project/target"));
        assertRejected(checkout.remus(command), "cannot write into " + target + " (", "copy it and work in the copy");
    }

    @Test
    void aUsersProgramIsNotCompiledWithoutAWritableFolder() throws Exception {
        Path source = Files.writeString(folder.resolve("Own.java"), "class Own {}");
        Files.createFile(folder.resolve("project/target"));
        assertRejected(checkout.remus("run", source.toString()), "cannot write into ", "copy it");
    }

    @Test
    void anUnwritableHomeIsNamedWithTheVariableToSet() throws Exception {
        Files.createFile(home.resolve(".m2"));
        assertRejected(
                checkout.remus("intset"), "cannot write into " + home.resolve(".m2") + " (", "set HOME to a folder");
    }

    @Test
    void aMissingHomeIsNamedWithWhatItIsFor() throws Exception {
        checkout.with("HOME", null);
        assertRejected(checkout.remus("intset"), "HOME is not set, where Maven keeps its downloads");
    }

    private static boolean command(String... words) throws Exception {
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    private interface Action {
        void run() throws Exception;
    }

    /** Runs an action with a separate file system for build output, which requires root. */
    private void withFileSystem(String options, Action action) throws Exception {
        Path target = Files.createDirectory(folder.resolve("project/target"));
        assumeThat(command("mount", "-t", "tmpfs", "-o", options, "tmpfs", target.toString()))
                .as("the user may mount a file system, which requires root")
                .isTrue();
        try {
            action.run();
        } finally {
            assertThat(command("umount", target.toString())).isTrue();
        }
    }

    @Test
    void aReadOnlyFileSystemIsReported() throws Exception {
        withFileSystem("ro", () -> assertRejected(checkout.remus("intset"), "(Read-only file system)"));
    }

    @Test
    void aFullDiskIsReported() throws Exception {
        withFileSystem("size=4k", () -> assertRejected(checkout.remus("intset"), "(No space left on device)"));
    }

    @Test
    void aDiskThatFillsUpWhileMavenRunsIsReportedAfterItsOutput() throws Exception {
        checkout.script("mvnw", "echo 'java.io.IOException: No space left on device'; exit 1");
        Checkout.Call call = checkout.remus("intset");
        assertThat(call.status()).isEqualTo(1);
        assertThat(call.err())
                .containsSubsequence("No space left", "remus: a disk is full, see above", "the build failed");
    }

    @Test
    void aFileThatCannotBeRemovedIsNamed() throws Exception {
        Files.createDirectory(folder.resolve("project/target"));
        checkout.script("bin/rm", "echo \"rm: cannot remove '/x/target': Read-only file system\" >&2; exit 1");
        checkout.with("PATH", folder.resolve("project/bin") + ":" + System.getenv("PATH"));
        assertRejected(checkout.remus("clean"), "cannot remove all that was built", "Read-only file system");
    }
}
