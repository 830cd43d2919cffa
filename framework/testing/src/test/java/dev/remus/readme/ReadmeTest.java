// SPDX-License-Identifier: Apache-2.0
package dev.remus.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The structure on the page about the framework compiles and runs outside the tree. */
class ReadmeTest {
    private static final int TIMEOUT_SECONDS = 60;

    @TempDir
    Path outside;

    @Test
    @Tag("processes")
    @Timeout(2 * TIMEOUT_SECONDS)
    void theStructureInTheReadmeCompilesAndRunsOutsideTheTreeAndTheFlagsNamedThereKeepTheJvmQuiet() throws Exception {
        Readme readme = Readme.read();
        Readme.assertIsOutputOfStructure(runStructure(readme, readme.quietFlags()));
    }

    @Test
    @Tag("processes")
    @Timeout(2 * TIMEOUT_SECONDS)
    void withoutFlagsNothingIsAddedToTheOutputButTheWarningsOfNewJvms() throws Exception {
        List<String> output = new ArrayList<>(runStructure(Readme.read(), List.of()));
        if (Runtime.version().feature() >= 24) {
            output.removeIf(line -> line.matches("WARNING: .*(Unsafe|UnsafeMemory)\\b.*"));
        }
        Readme.assertIsOutputOfStructure(output);
    }

    private List<String> runStructure(Readme readme, List<String> flags) throws Exception {
        Path source = outside.resolve("RemoteStack.java");
        Files.writeString(source, readme.structure());
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        String classPath = System.getProperty("java.class.path");
        assertThat(compiler.run(null, null, null, "-cp", classPath, "-d", outside.toString(), source.toString()))
                .as("exit status of the compiler")
                .isZero();

        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath + System.getProperty("path.separator") + outside, "RemoteStack"));
        return run(command);
    }

    private List<String> run(List<String> command) throws IOException, InterruptedException {
        Path output = outside.resolve("output.txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(String.join("\n", lines)).isZero();
        return lines;
    }
}
