// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.ci;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
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
 * The last lines that {@code .ci/run} prints. Scripts replace the launcher, the bare machine and the package manager.
 */
@Tag("processes")
@Tag("any-jdk")
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class CiRunTest {
    private static final String REPORT = "framework/core/target/surefire-reports/TEST-dev.remus.ATest.xml";

    @TempDir
    private Path folder;

    @BeforeEach
    void putScriptsAroundIt() throws IOException {
        assumeThat(System.getProperty("user.name")).isEqualTo("root");
        assumeThat(Path.of("/usr/lib/jvm")).isDirectoryContaining("glob:**17*");
        Files.createDirectories(folder.resolve(".ci"));
        Files.createDirectories(folder.resolve("tools"));
        Files.createDirectories(folder.resolve("examples/rxe-vm"));
        for (String name : List.of("run", "flakes")) {
            Path script = Path.of("../../.ci").resolve(name);
            Files.copy(script, folder.resolve(".ci").resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
        }
        program("tools/apt-get", "exit 0");
        program("tools/apt-cache", "exit 0");
        program("examples/rxe-vm/rxe-vm", "exit 1");
        program("mvnw", "exit 0");
        program(".ci/bare", "exit 0");
        testsThat("exit 0", "<skipped/>");
    }

    private void program(String name, String... lines) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /**
     * Replaces the tests by a script that writes a report with this element and ends in this way; cleaning removes the
     * report.
     */
    private void testsThat(String end, String element) throws IOException {
        program(
                "remus",
                "[ \"$1\" != clean ] || { rm -f " + REPORT + "; exit 0; }",
                "echo \"$*\" >>commands",
                "mkdir -p \"$(dirname " + REPORT + ")\"",
                "echo '<testcase name=\"aTest\" classname=\"dev.remus.ATest\">' >" + REPORT,
                "echo '" + element + "' >>" + REPORT,
                end);
    }

    private List<String> run(int expectedStatus) throws Exception {
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(
                        "bash", folder.resolve(".ci/run").toString())
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(output.toFile());
        builder.environment().put("PATH", folder.resolve("tools") + File.pathSeparator + System.getenv("PATH"));
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        List<String> lines = Files.readAllLines(output);
        assertThat(process.exitValue()).as("%s", lines).isEqualTo(expectedStatus);
        return lines.subList(lines.size() - 2, lines.size());
    }

    @Test
    void theLastLinesReportThatTheBareMachinePassedWithoutFlakes() throws Exception {
        assertThat(run(0)).containsExactly("bare machine: passed", "flakes: none");
    }

    @Test
    void aTestThatPassedInItsSecondRunIsNamedInTheLastLine() throws Exception {
        testsThat("exit 0", "<flakyFailure message=\"m\">");
        assertThat(run(0)).last().asString().startsWith("flakes: ATest.aTest (JDK 17)");
    }

    @Test
    void theFlakesAreNamedAlsoIfTestsFail() throws Exception {
        testsThat("exit 3", "<flakyError message=\"m\">");
        assertThat(run(3)).containsExactly("bare machine: not run", "flakes: ATest.aTest (JDK 17)");
    }

    @Test
    void theFlakesOfTheBareMachineAreNamedToo() throws Exception {
        program(".ci/bare", "echo 'ATest.aTest (bare machine)' >>\"$FLAKES\"");
        assertThat(run(0)).containsExactly("bare machine: passed", "flakes: ATest.aTest (bare machine)");
    }

    @Test
    void aBareMachineThatFailsOrIsSkippedIsReported() throws Exception {
        program(".ci/bare", "exit 77");
        assertThat(run(0)).first().isEqualTo("bare machine: SKIPPED, see above");
        program(".ci/bare", "exit 1");
        assertThat(run(1)).first().isEqualTo("bare machine: FAILED with status 1");
    }

    @Test
    void testsThatStartProcessesRunHereOnlyWhereTheyNeedAProgramOrThereIsNoBareMachine() throws Exception {
        String instead = "-Dgroups=processes & !programs";
        run(0);
        assertThat(commands().get(0)).matches(".* -DexcludedGroups=\\(?processes & !programs.*");
        assertThat(commands()).noneMatch(command -> command.contains(instead));
        program(".ci/bare", "exit 77");
        run(0);
        assertThat(commands()).last().asString().contains(instead);
    }

    @Test
    void aTestThatDoesNotDependOnTheJdkRunsOnce() throws Exception {
        assumeThat(Path.of("/usr/lib/jvm")).isDirectoryContaining("glob:**25*");
        run(0);
        assertThat(commands()).hasSize(2);
        assertThat(commands().get(0)).endsWith("-DexcludedGroups=(processes & !programs) | any-jdk");
        assertThat(commands().get(1)).contains("-DexcludedGroups=oldest-jdk | any-jdk & processes & !programs ");
    }

    /** The arguments of each call of {@code ./remus test} so far. */
    private List<String> commands() throws IOException {
        return Files.readAllLines(folder.resolve("commands"));
    }
}
