// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands that are dispatched, explained and completed are those of the catalogue. */
@Timeout(60)
class CatalogueTest {
    private static final Catalogue CATALOGUE = Catalogue.read();

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private int main(String... args) {
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        return Main.run(args, stream, stream);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private static List<String> names(boolean isJava) {
        return CATALOGUE.entries().stream()
                .filter(entry -> entry.isJava() == isJava)
                .map(Catalogue.Entry::name)
                .toList();
    }

    private static List<String> programs() {
        return names(true);
    }

    private static List<String> commandsOfTheLauncher() {
        return names(false);
    }

    @Test
    void noCommandIsListedTwice() {
        assertThat(CATALOGUE.names()).doesNotHaveDuplicates().contains("intset", "queue", "bench", "test", "help");
    }

    @Test
    void mainDispatchesExactlyTheJavaCommands() {
        assertThat(Main.names()).containsExactlyInAnyOrderElementsOf(programs());
    }

    @Test
    void theLauncherDispatchesExactlyItsOwnCommands() throws Exception {
        List<String> functions = Pattern.compile("(?m)^command_([a-z_]+)\\(\\)")
                .matcher(Files.readString(Path.of("../../remus")))
                .results()
                .map((MatchResult found) -> found.group(1).replace('_', '-'))
                .toList();
        assertThat(functions).containsExactlyInAnyOrderElementsOf(commandsOfTheLauncher());
    }

    @ParameterizedTest
    @MethodSource("programs")
    void everyProgramExplainsItself(String name) {
        assertThat(main(name, "--help")).isZero();
        assertThat(out()).startsWith("Usage: ./remus " + name).containsPattern("Examples|Suites|Experiments");
    }

    @ParameterizedTest
    @MethodSource("programs")
    void everyProgramEndsAWrongCallWithItsErrorBelowAtMostThreeLinesOfHelp(String name) {
        assertThat(main(name, "--no-such-option")).as(out()).isEqualTo(2);
        List<String> lines = out().lines().toList();
        assertThat(lines).hasSizeBetween(1, 4);
        assertThat(lines.get(lines.size() - 1)).contains("--no-such-option");
    }

    @ParameterizedTest
    @MethodSource("commandsOfTheLauncher")
    void everyCommandOfTheLauncherExplainsItself(String name) {
        assertThat(Catalogue.help(name))
                .startsWith("Usage: ./remus " + name)
                .contains("Examples\n  ", "./remus " + name);
    }

    @Test
    void onlyCommandsThatMeasureAreRepeated() {
        assertThat(CATALOGUE.measuring()).containsExactly("intset", "kv", "queue", "bench", "reproduce");
    }

    @Test
    void everyCommandIsCompleted() {
        assertThat(main("completion", "bash")).isZero();
        assertThat(out()).contains("'') echo '" + String.join(" ", CATALOGUE.names()) + " --help --version'");
        for (String name : CATALOGUE.names()) {
            assertThat(out()).contains("        '" + name + "') echo '");
        }
        assertThat(out())
                .contains(
                        "'rxe-vm') echo '--memory ",
                        "'test') echo '--quick --all --bare --tutorial --first-half --set-ups --help'");
    }

    @Test
    void theHelpOfTheVirtualMachineHasTheOptionsDefaultsAndPackagesOfItsScript() throws Exception {
        String script = Files.readString(Path.of("../rxe-vm/rxe-vm"));
        String help = Catalogue.help("rxe-vm");
        List<String> options = Pattern.compile("(?m)^  (--[a-z-]+)")
                .matcher(help)
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(options)
                .hasSizeGreaterThan(8)
                .allSatisfy(option -> assertThat(script).contains(option));
        String packages = first("readonly packages=\"([^\"]*)\"", script).replace("\\\n", "");
        assertThat(help.replaceAll("\\s+", " ")).contains("apt-get install " + packages);
        for (String name : List.of("memory", "processors", "time-limit", "addresses", "first-address")) {
            String value = first("[ ^]" + name.replace('-', '_') + "=([0-9.]+)", "^" + script);
            assertThat(help).containsPattern("--" + name + " .* by default " + Pattern.quote(value) + "\\b");
        }
    }

    private static String first(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text.replace("\nmemory=", "\n memory="))
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
    }
}
