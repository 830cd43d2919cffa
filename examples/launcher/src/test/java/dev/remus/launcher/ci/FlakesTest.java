// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.ci;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code .ci/flakes} lists tests that passed only when repeated, from test reports. */
@Tag("processes")
@Tag("any-jdk")
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class FlakesTest {
    @TempDir
    private Path folder;

    private void report(String name, String... testCases) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(
                file, "<?xml version=\"1.0\"?>\n<testsuite>\n" + String.join("\n", testCases) + "\n</testsuite>\n");
    }

    private static String testCase(String type, String method, String... elements) {
        return "  <testcase name=\"" + method + "\" classname=\"dev.remus." + type + "\" time=\"0.1\">\n    "
                + String.join("\n    ", elements) + "\n  </testcase>";
    }

    private static String element(String name) {
        return "<" + name + " message=\"&lt;flakyFailure name=&quot;x&quot;\" type=\"E\">\n"
                + "      <stackTrace><![CDATA[java.lang.AssertionError: of <testcase name=\"y\">\n]]></stackTrace>\n    </"
                + name + ">";
    }

    private List<String> flakes() throws Exception {
        Process process = new ProcessBuilder("bash", "../../.ci/flakes", "JDK 17", folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("printed").toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        List<String> lines = Files.readAllLines(folder.resolve("printed"), StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as("%s", lines).isZero();
        return lines;
    }

    @Test
    void withoutReportsThereAreNone() throws Exception {
        assertThat(flakes()).isEmpty();
    }

    @Test
    void testsThatPassedInASecondRunAreNamedFromAllModules() throws Exception {
        report(
                "framework/core/target/surefire-reports/TEST-dev.remus.node.ATest.xml",
                "  <testcase name=\"sound\" classname=\"dev.remus.node.ATest\" time=\"0.1\"/>",
                testCase("node.ATest", "failsOnce", element("flakyFailure")),
                testCase("node.ATest", "failsTwice", element("failure"), element("rerunFailure")),
                testCase("node.ATest", "isSkipped", "<skipped/>"));
        report(
                "examples/launcher/target/surefire-reports/TEST-dev.remus.BTest.xml",
                testCase("BTest", "throwsOnce(int, String)[1]", element("flakyError")),
                testCase("BTest", "throwsOnce(int, String)[2]", element("flakyError")));
        assertThat(flakes()).containsExactly("ATest.failsOnce (JDK 17)", "BTest.throwsOnce (JDK 17)");
    }

    @Test
    void verbsTestsThatPassedInALaterAttemptAreNamed() throws Exception {
        String reports = "examples/launcher/target/verbs-reports";
        String report = "/TEST-junit-jupiter.xml";
        report(
                reports + ".1" + report,
                testCase("VerbsATest", "failsOnce()", element("failure")),
                testCase("VerbsATest", "failsTwice()", element("error")),
                testCase("VerbsATest", "passes()"));
        report(reports + report, testCase("VerbsATest", "failsTwice()", element("error")));
        assertThat(flakes()).containsExactly("VerbsATest.failsOnce (JDK 17)");
    }

    @Test
    void anAttemptOfTheVerbsTestsWithoutAReportIsListed() throws Exception {
        Files.createDirectories(folder.resolve("examples/launcher/target/verbs-reports.1"));
        report("examples/launcher/target/verbs-reports/TEST-junit-jupiter.xml", testCase("VerbsATest", "passes()"));
        assertThat(flakes()).containsExactly("the verbs tests (JDK 17)");
    }
}
