// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The twelve lines of Java in the README compile, and print the output that the README shows. */
class FrontDoorTest {
    private static final Path README = Path.of("../../README.md");

    private static final String PROGRAM = """
            import dev.remus.config.ClusterConfig;
            import dev.remus.node.ComputeNode;
            import dev.remus.node.MemoryNode;
            import dev.remus.structures.LongFastLazyListSet;

            class TwelveLines {
                public static void main(String[] args) throws Exception {
            %s
                }
            }
            """;

    @TempDir
    private Path folder;

    private static List<String> twelveLines() throws Exception {
        Matcher block = Pattern.compile("(?ms)^```java\n(.*?)^```$").matcher(Files.readString(README));
        assertThat(block.find()).isTrue();
        return block.group(1).lines().toList();
    }

    @Test
    @Tag("processes")
    @Timeout(120)
    void theTwelveLinesPrintTrueFourTimes() throws Exception {
        assertThat(twelveLines()).hasSize(12);
        Path source = Files.writeString(
                folder.resolve("TwelveLines.java"), PROGRAM.formatted(String.join("\n", twelveLines())));
        String classPath = System.getProperty("java.class.path");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-cp", classPath, "-d", folder.toString(), source.toString()))
                .isZero();
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Dremus.shm.dir=" + folder,
                        "-cp",
                        folder + System.getProperty("path.separator") + classPath,
                        "TwelveLines")
                .redirectOutput(output.toFile())
                .redirectError(folder.resolve("errors").toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue())
                .as(Files.readString(folder.resolve("errors")))
                .isZero();
        assertThat(Files.readAllLines(output, StandardCharsets.UTF_8))
                .containsExactlyInAnyOrder("0: true", "1: true", "2: true", "3: true");
    }
}
