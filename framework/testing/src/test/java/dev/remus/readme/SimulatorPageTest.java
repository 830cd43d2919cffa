// SPDX-License-Identifier: Apache-2.0
package dev.remus.readme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;

/** The test on the page about the simulator finds the mistake, and passes with the page's correction. */
@Tag("any-jdk")
class SimulatorPageTest {
    private static final String MISTAKE = """
            long count = This.count.load(ct);
                        // another thread may have been here meanwhile
                        This.count.store(count + 1, ct);
                        return count;
            """.strip();

    private static final String MENDED = "return This.count.fetchAdd(1, ct);";

    @TempDir
    Path outside;

    @Test
    void theCounterOnThePageIsFoundWrong() throws Exception {
        assertThat(failures(Readme.simulatorPage().structure()))
                .singleElement()
                .asString()
                .contains("-Dremus.seed=")
                .contains("increment")
                .contains("not linearizable");
    }

    @Test
    void theMendedCounterIsRight() throws Exception {
        Readme page = Readme.simulatorPage();
        assertThat(page.structure()).contains(MISTAKE);
        assertThat(failures(page.structure().replace(MISTAKE, MENDED))).isEmpty();
    }

    private List<String> failures(String source) throws Exception {
        Path file = outside.resolve("RemoteCounterTest.java");
        Files.writeString(file, source);
        String classPath = System.getProperty("java.class.path");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-cp", classPath, "-d", outside.toString(), file.toString()))
                .as("exit status of the compiler")
                .isZero();
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {outside.toUri().toURL()}, getClass().getClassLoader())) {
            return EngineTestKit.engine("junit-jupiter")
                    .selectors(selectClass(loader.loadClass("RemoteCounterTest")))
                    .execute()
                    .testEvents()
                    .failed()
                    .stream()
                    .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                    .map(result -> result.getThrowable().orElseThrow().getMessage())
                    .toList();
        }
    }
}
