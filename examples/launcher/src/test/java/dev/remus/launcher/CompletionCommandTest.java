// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("processes")
@Timeout(120)
class CompletionCommandTest {
    @TempDir
    private static Path folder;

    private static Path script;

    private static String main(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        Main.run(args, stream, stream);
        return out.toString(StandardCharsets.UTF_8);
    }

    @BeforeAll
    static void write() throws IOException {
        script = folder.resolve("completion");
        Files.writeString(script, main("completion", "bash"));
    }

    /** The completions that bash offers for a command line with an unfinished last word. */
    private static List<String> complete(String line) throws Exception {
        String program = "source \"$1\"; COMP_WORDS=($2); [[ $2 == *' ' ]] && COMP_WORDS+=('');"
                + " COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _remus; printf '%s\\n' \"${COMPREPLY[@]}\"";
        Process bash = new ProcessBuilder("bash", "-c", program, "bash", script.toString(), line)
                .redirectErrorStream(true)
                .start();
        String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(bash.exitValue()).as(output).isZero();
        return output.lines().filter(word -> !word.isEmpty()).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "./remus in, intset",
        "./remus ver, version",
        "./remus --v, --version",
        "./remus que, queue",
        "./remus intset --ins, --insert",
        "./remus queue --queue buffered-, buffered-relaxed",
        "./remus intset --on-node-loss a, abort",
        "./remus bench prim, primitives",
        "./remus bench primitives --qui, --quick",
        "./remus reproduce lock, lock-free-queue",
        "./remus reproduce lock-free-queue --fu, --full",
        "./remus test --qu, --quick",
        "./remus rxe-vm --mem, --memory",
        "./remus help ints, intset",
        "./remus completion z, zsh",
        "./remus top --on, --once",
    })
    void aUniquePrefixIsCompletedToItsWord(String line, String word) throws Exception {
        assertThat(complete(line)).containsExactly(word);
    }

    @Test
    void aFreeValueHasNoCompletionSoThatTheShellOffersFiles() throws Exception {
        assertThat(complete("./remus intset --out ")).isEmpty();
        assertThat(complete("./remus intset --seed 1")).isEmpty();
    }

    @Test
    void everyExperimentExplainsItselfWithExamples() throws Exception {
        for (String experiment : complete("./remus reproduce ")) {
            assertThat(main("reproduce", experiment, "--help"))
                    .as(experiment)
                    .contains("Usage: ./remus reproduce " + experiment, "Examples", "./remus");
        }
    }

    @Test
    void everySuiteExplainsItselfWithExamples() throws Exception {
        for (String suite : complete("./remus bench ")) {
            assertThat(main("bench", suite, "--help"))
                    .as(suite)
                    .contains("Usage: ./remus bench " + suite, "Examples", "./remus");
        }
    }

    @Test
    void anotherShellIsRejected() {
        assertThat(main("completion", "fish").lines())
                .hasSize(3)
                .last()
                .isEqualTo("./remus completion: got 'fish', needs bash or zsh");
        assertThat(main("completion", "zsh")).contains("bashcompinit", "complete -o default -F _remus");
    }
}
