// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.cluster.LocalePrintStream;
import dev.remus.launcher.Main;
import dev.remus.process.JvmFlags;
import dev.remus.source.SourceTree;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Output is readable in every locale. */
@Tag("any-jdk")
@Timeout(400)
class ReadableOutputTest {
    private static final Pattern ASCII = Pattern.compile("\\p{ASCII}*");

    private static final Pattern NOT_ASCII = Pattern.compile("\\P{ASCII}");

    @TempDir
    private Path folder;

    /** @param status the expected exit status */
    private String run(int status, String locale, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin/java").toString(), "-XX:TieredStopAtLevel=1"));
        command.addAll(JvmFlags.needed());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of(words));
        Path output = folder.resolve("output");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("LC_") || name.startsWith("LANG"));
        builder.environment().put("LC_ALL", locale);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            String text = Files.readString(output, StandardCharsets.UTF_8);
            assertThat(process.exitValue()).as(text).isEqualTo(status);
            return text;
        } finally {
            process.destroyForcibly();
        }
    }

    private String sweep(String locale) throws Exception {
        return run(
                0,
                locale,
                "queue",
                "--fabric=sim",
                "--sweep=2",
                "--nodes=2",
                "--num-ops=10",
                "--queues=nd",
                "--out=" + folder.resolve("results"));
    }

    private String drawing(String locale) throws Exception {
        return run(1, locale, "check", "nd-published", "--replay=6", "--findings=" + folder.resolve("findings"));
    }

    @Tag("processes")
    @ParameterizedTest
    @ValueSource(strings = {"C", "POSIX", "no_SUCH"})
    void outputIsInAsciiWhereTheLocaleHasNoMore(String locale) throws Exception {
        assertThat(sweep(locale)).contains(" us per op").matches(ASCII);
        assertThat(drawing(locale)).contains("dequeue()  -+\n", " -+ <--\n").matches(ASCII);
    }

    @Tag("processes")
    @Test
    void aFileThatReceivesTheOutputIsUtf8InALocaleOfUtf8() throws Exception {
        assertThat(sweep("C.UTF-8")).contains("µs per op");
        assertThat(drawing("C.UTF-8")).contains("dequeue()  ─┐\n", " ─┘ ◄──\n");
    }

    @Test
    void everyCharacterThatAProgramPrintsHasASpellingInAscii() throws Exception {
        for (Path file : SourceTree.javaFiles("src/main/java")) {
            if (file.endsWith("LocalePrintStream.java")) {
                continue; // the spellings
            }
            for (MatchResult found : NOT_ASCII
                    .matcher(withoutComments(Files.readString(file)))
                    .results()
                    .toList()) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                new LocalePrintStream(bytes, StandardCharsets.US_ASCII).print(found.group());
                assertThat(bytes.toString(StandardCharsets.UTF_8))
                        .as(found.group() + " in " + file)
                        .doesNotContain("?");
            }
        }
    }

    private static String withoutComments(String source) {
        return source.replaceAll("(?m)^ *(/?\\*|//).*", "").replaceAll("(?m) // .*", "");
    }

    @Test
    void durationsHaveTheSameUnitSymbolEverywhere() throws Exception {
        Pattern otherSymbol = Pattern.compile("\"[^\"\n]*(?<![A-Za-z])us(?![A-Za-z])[^\"\n]*\"");
        // Columns of CSV files, for programs.
        Predicate<String> isColumn = Pattern.compile("\"(median us|p99 us|[a-z0-9_]*_us|us_per_[a-z_]+)\"")
                .asMatchPredicate();
        for (Path file : SourceTree.javaFiles("src/main/java")) {
            assertThat(otherSymbol.matcher(Files.readString(file)).results().map(found -> found.group()))
                    .as(file.toString())
                    .allMatch(isColumn);
        }
    }
}
