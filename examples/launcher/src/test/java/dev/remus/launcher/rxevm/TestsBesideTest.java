// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.rxevm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.await.Await;
import dev.remus.launcher.startup.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code ./remus test} runs the verbs tests in parallel with the others. Scripts replace Maven and the virtual machine.
 */
@Tag("processes")
@Tag("any-jdk")
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class TestsBesideTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void putScriptsAroundTheLauncher() throws IOException {
        new Checkout(folder);
        Files.createDirectories(folder.resolve("examples/rxe-vm"));
        machineIsThere(true);
        // Each waits until the other has started.
        maven("touch maven; until [ -e machine ]; do sleep 0.05; done; echo 'tests of Maven'");
        machine("touch ../../machine; until [ -e ../../maven ]; do sleep 0.05; done; echo 'tests of the machine'");
    }

    private void program(String name, String... lines) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private void machineIsThere(boolean there) throws IOException {
        program("examples/rxe-vm/rxe-vm", there ? "exit 0" : "exit 1");
    }

    private void maven(String tests) throws IOException {
        program("mvnw", "echo \"$@\" >>calls", "case \" $* \" in *' -DskipTests '*) exit 0 ;; esac", tests);
    }

    private void machine(String tests) throws IOException {
        program("examples/rxe-vm/verbs-tests", "echo \"$@\" >>../../calls", tests);
    }

    private Process start(String... arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(folder.resolve("remus").toString(), "test");
        builder.command().addAll(List.of(arguments));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("printed").toFile())
                .start();
    }

    private String test(int expectedStatus, String... arguments) throws Exception {
        Process process = start(arguments);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String printed = Files.readString(folder.resolve("printed"));
        assertThat(process.exitValue()).as(printed).isEqualTo(expectedStatus);
        return printed;
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(folder.resolve("calls"));
    }

    @Test
    void bothRunInParallelAndTheMachinesOutputComesLast() throws Exception {
        String printed = test(0);
        assertThat(printed).containsSubsequence("tests of Maven", "tests of the machine");
        assertThat(calls())
                .containsExactlyInAnyOrder(
                        "package -DskipTests -DskipPrepareVerbsTests=false",
                        "verify -DskipVerbsTests=true",
                        "--prepared target/verbs-reports");
    }

    @Test
    void theyDoSoAlsoWithoutSomeOfTheOthers() throws Exception {
        test(0, "-DexcludedGroups=a & !b");
        assertThat(calls())
                .contains("verify -DskipVerbsTests=true -DexcludedGroups=a & !b", "--prepared target/verbs-reports");
    }

    @Test
    void theStatusIsThatOfTheFailedTests() throws Exception {
        maven("touch maven; exit 1");
        assertThat(test(1)).contains("FAILED: the tests on this machine").doesNotContain("FAILED: the verbs tests");
        maven("touch maven");
        machine("touch ../../machine; exit 3");
        assertThat(test(3)).contains("FAILED: the verbs tests").doesNotContain("FAILED: the tests on this machine");
    }

    @Test
    void theErrorsOfMavenAreRepeatedBelowTheOutputOfTheMachine() throws Exception {
        maven("touch maven; echo '[ERROR] XTest.x'; echo '[INFO] and so on'; exit 1");
        assertThat(test(1))
                .endsWith(String.join(
                        "\n",
                        "tests of the machine",
                        "remus: FAILED: the tests on this machine, see above, or in short:",
                        "[ERROR] XTest.x",
                        ""));
    }

    @Test
    void aSignalEndsBoth() throws Exception {
        maven("touch maven; exec sleep 1000");
        machine("touch ../../machine; exec sleep 1000");
        Process process = start();
        for (String mark : List.of("maven", "machine")) {
            Await.until("the start of " + mark, () -> Files.exists(folder.resolve(mark)));
        }
        List<ProcessHandle> all = process.descendants().toList();
        assertThat(all).hasSizeGreaterThanOrEqualTo(2);
        process.destroy();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(143);
        Await.end(all);
    }

    @Test
    void withoutAMachineOrWithATestSelectionMavenRunsEverything() throws Exception {
        maven("exit 0");
        test(0, "-DskipVerbsTests");
        test(0, "-pl", "structures");
        test(0, "-Dtest=XTest");
        machineIsThere(false);
        test(0, "-q");
        assertThat(calls())
                .containsExactly(
                        "verify -DskipVerbsTests", "verify -pl structures", "verify -Dtest=XTest", "verify -q");
    }
}
