// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.rxevm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
 * {@code rxe-vm/verbs-tests} reports JVMs that crash in the virtual machine, and repeats tests after crashes of the
 * emulator. A script replaces the machine.
 */
@Tag("processes")
@Tag("any-jdk")
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class CrashReportTest {
    private static final String IN_COMPILED_CODE = "J 1234 c1 java.lang.String.hashCode()I java.base@17 (60 bytes)";
    private static final String IN_A_LIBRARY = "C  [libdisni.so+0x1f2e]  Java_com_ibm_disni_verbs+0x1e";

    @TempDir
    private Path folder;

    private Path reports;

    @BeforeEach
    void putAMachineBesideTheScript() throws IOException {
        reports = folder.resolve("target/reports");
        Files.createDirectory(folder.resolve("target"));
        for (String script : List.of("verbs-tests", "class-archive")) {
            Files.copy(Path.of("../rxe-vm", script), folder.resolve(script), StandardCopyOption.COPY_ATTRIBUTES);
        }
        program(
                "rxe-vm",
                "[ \"$1\" = --check ] && exit 0",
                "cd '" + folder + "'",
                "echo \"$@\" >>calls",
                "exec sh ./run-$(wc -l <calls)");
        Files.createDirectories(folder.resolve("jdk/bin"));
        program("jdk/bin/java");
        program("jdk/bin/jar");
    }

    private void program(String name, String... lines) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /** Defines the machine's behaviour at its n-th start. */
    private void run(int n, String... lines) throws IOException {
        Files.write(folder.resolve("run-" + n), List.of(lines));
    }

    /** At the n-th start, tests of two of three classes fail, and a JVM leaves a crash report. */
    private void crash(int n, String frame) throws IOException {
        run(
                n,
                "cat >target/reports/hs_err_pid42.log <<'END'",
                "# A fatal error has been detected by the Java Runtime Environment:",
                "#",
                "#  SIGSEGV (0xb) at pc=0x00007f0000001234, pid=42, tid=43",
                "#",
                "# Problematic frame:",
                "# " + frame,
                "END",
                "cat >target/reports/TEST-junit-jupiter.xml <<'END'",
                "<testcase name=\"a()\" classname=\"x.VerbsOneTest\" time=\"1\">",
                "<failure message=\"status 134\">",
                "</failure>",
                "</testcase>",
                "<testcase name=\"b()\" classname=\"x.VerbsTwoTest\" time=\"1\">",
                "<system-out>text</system-out>",
                "</testcase>",
                "<testcase name=\"c()\" classname=\"x.VerbsThreeTest\" time=\"1\">",
                "<error message=\"lost\"></error>",
                "</testcase>",
                "END",
                "exit 1");
    }

    private String verbsTests(int expectedStatus) throws Exception {
        Path printed = folder.resolve("printed");
        ProcessBuilder builder =
                new ProcessBuilder("bash", "verbs-tests", reports.toString(), "examples.jar", "classes", "-ea");
        builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        builder.environment().remove("REMUS_VERBS_ATTEMPTS");
        Process process = builder.directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(printed)).isEqualTo(expectedStatus);
        return Files.readString(printed);
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(folder.resolve("calls"));
    }

    @Test
    void aJvmCrashOfTheEmulatorIsReportedAndOnlyItsTestsAreRepeated() throws Exception {
        crash(1, IN_COMPILED_CODE);
        run(2, "exit 0");
        assertThat(verbsTests(0))
                .contains("a JVM crashed: hs_err_pid42.log: SIGSEGV, in J 1234 c1 java.lang.String.hashCode")
                .contains("the emulator crashed a JVM in compiled code; retrying: x.VerbsOneTest x.VerbsThreeTest")
                .containsPattern("passed in \\d+ s, after the emulator had crashed a JVM");
        assertThat(calls()).hasSize(2);
        assertThat(calls().get(1)).contains("x.VerbsOneTest x.VerbsThreeTest").doesNotContain("VerbsTwoTest");
        assertThat(folder.resolve("target/reports.1/hs_err_pid42.log")).exists();
    }

    @Test
    void aSecondCrashOfTheEmulatorIsAFailure() throws Exception {
        crash(1, IN_COMPILED_CODE);
        crash(2, IN_COMPILED_CODE);
        assertThat(verbsTests(1)).contains("FAILED (status 1) in ");
        assertThat(calls()).hasSize(2);
    }

    @Test
    void aCrashInALibraryIsAFailureAtOnce() throws Exception {
        crash(1, IN_A_LIBRARY);
        assertThat(verbsTests(1)).contains("a JVM crashed: hs_err_pid42.log: SIGSEGV, in C  [libdisni.so+0x1f2e]");
        assertThat(calls()).hasSize(1);
    }

    @Test
    void aTestThatFailsWithoutACrashIsAFailureAtOnce() throws Exception {
        run(1, "exit 1");
        assertThat(verbsTests(1)).contains("FAILED (status 1) in ").doesNotContain("crashed");
        assertThat(calls()).hasSize(1);
    }

    @Test
    void aFolderOutsideTargetIsRejectedAndKept() throws Exception {
        for (String name : List.of("documents", "target/../documents", "target/")) {
            reports = folder.resolve("documents");
            Path kept = Files.createDirectories(reports).resolve("kept");
            Files.writeString(kept, "of a user");
            reports = Path.of(folder + "/" + name);
            assertThat(verbsTests(2)).contains("must be inside a folder named target");
            assertThat(kept).exists();
        }
    }

    @Test
    void aCrashThatNoTestNoticedIsReportedToo() throws Exception {
        crash(1, IN_COMPILED_CODE);
        Files.writeString(
                folder.resolve("run-1"),
                Files.readString(folder.resolve("run-1")).replace("exit 1", "exit 0"));
        assertThat(verbsTests(0)).contains("a JVM crashed: hs_err_pid42.log");
        assertThat(calls()).hasSize(1);
    }
}
