// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The launcher prints help and usage errors without Java and without a build. */
@Tag("processes")
@Tag("any-jdk")
@Timeout(60)
class LauncherHelpTest {
    @TempDir
    private Path folder;

    private Checkout checkout;

    @BeforeEach
    void withoutJava() throws IOException {
        checkout = new Checkout(folder).with("JAVA_HOME", "/no/such/folder");
        checkout.script("mvnw", "echo 'Maven was called' >&2; exit 1");
    }

    private void assertNothingWasBuilt() {
        assertThat(folder.resolve("target")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "-h", "help"})
    void helpListsAllCommandsWithoutJavaAndWithoutABuild(String word) throws Exception {
        Checkout.Call call = checkout.remus(word);
        assertThat(call.status()).as(call.err()).isZero();
        assertThat(call.err()).isEmpty();
        assertThat(call.out()).contains("Usage: ./remus COMMAND", "\nExamples\n", "REMUS_INSTALL_JDK");
        assertThat(Files.readAllLines(folder.resolve(
                        "examples/launcher/src/main/resources/dev/remus/launcher/commands/catalogue.txt")))
                .filteredOn(line -> line.startsWith("  "))
                .hasSizeGreaterThan(20)
                .allSatisfy(line -> {
                    String[] words = line.strip().split(" +", 3);
                    assertThat(call.out())
                            .containsOnlyOnce("\n  " + words[0] + " ")
                            .contains("  " + words[2] + "\n");
                });
        assertNothingWasBuilt();
    }

    @ParameterizedTest
    @ValueSource(strings = {"test", "run", "site", "build", "clean", "help", "rxe-vm"})
    void eachCommandOfTheLauncherExplainsItselfWithoutJavaAndWithoutABuild(String command) throws Exception {
        Checkout.Call call = checkout.remus(command, "--help");
        assertThat(call.status()).as(call.err()).isZero();
        assertThat(call.out()).startsWith("Usage: ./remus " + command);
        assertThat(checkout.remus("help", command)).isEqualTo(call);
        assertNothingWasBuilt();
    }

    @ParameterizedTest
    @ValueSource(strings = {"test", "site", "build", "clean", "help"})
    void eachCommandOfTheLauncherNamesAWrongOptionInItsLastLine(String command) throws Exception {
        Checkout.Call call = checkout.remus(command, "--no-such-option");
        assertThat(call.status()).as(call.err()).isEqualTo(2);
        List<String> lines = call.err().lines().toList();
        assertThat(lines).hasSizeBetween(1, 4);
        assertThat(lines.get(lines.size() - 1)).startsWith("remus: ").contains("--no-such-option");
        assertNothingWasBuilt();
    }

    @ParameterizedTest
    @CsvSource({
        "intsets, did you mean intset?",
        "--hlep, did you mean help?",
        "INTSET, did you mean intset?",
        "serv, did you mean service or service-load?",
        "rocks, try ./remus --help",
        "*, try ./remus --help",
        "'', try ./remus --help"
    })
    void anUnknownCommandIsRejectedWithoutABuildAndTheNearOnesAreNamed(String word, String advice) throws Exception {
        Checkout.Call call = checkout.remus(word);
        assertThat(call.status()).isEqualTo(2);
        assertThat(call.err()).isEqualTo("remus: there is no command '" + word + "'; " + advice + "\n");
        assertNothingWasBuilt();
    }

    @Test
    void unexpectedArgumentsAreRejected() throws Exception {
        assertThat(checkout.remus("build", "everything").complaint())
                .isEqualTo("remus: build takes no arguments, but got 'everything'; try ./remus build --help");
        assertThat(checkout.remus("test", "--fail-at-end", "--bar").err())
                .isEqualTo("remus: unknown option --bar; did you mean --bare?\n");
        assertThat(checkout.remus("test", "--fail-at-end", "--bare").err())
                .isEqualTo("remus: --bare must be the first argument\n");
        assertThat(checkout.remus("test", "--foo").err())
                .isEqualTo("remus: unknown option --foo; try ./remus test --help\n");
        assertThat(checkout.remus("test", "--qick").err())
                .isEqualTo("remus: unknown option --qick; did you mean --quick?\n");
        assertThat(checkout.remus("run").complaint()).contains("run needs the file of a program", "./remus run --help");
        assertThat(checkout.remus("help", "a", "b").status()).isEqualTo(2);
        assertNothingWasBuilt();
    }
}
