// SPDX-License-Identifier: Apache-2.0
package dev.remus.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

/** What can be asked of a command line that was read. */
class ArgumentsTest {
    private static final OptionSpec<Long> ZETA =
            OptionSpec.integer("--zeta", 0, 9, "help").withDefault(3L);
    private static final OptionSpec<String> ALPHA = OptionSpec.text("--alpha", "text", "help");
    private static final OptionSpec<List<String>> HOSTS = OptionSpec.list("--hosts", "host", "help");
    private static final OptionSpec<Boolean> FAST = OptionSpec.flag("--fast", "help");

    private static final OptionSet SET =
            new OptionSet("prog", "Does something.").include(new OptionGroup("All", ZETA, ALPHA, HOSTS, FAST));

    @Test
    void onlyTheCommandLineItselfCountsAsGiven() {
        Arguments arguments = SET.parse(Map.of("--hosts", "a"), "--alpha", "x");

        assertThat(arguments.isGiven(ALPHA)).isTrue();
        assertThat(arguments.isGiven(HOSTS)).isFalse();
        assertThat(arguments.isGiven(ZETA)).isFalse();
    }

    @Test
    void askingForAValueThatThereIsNotNamesTheOption() {
        assertThatExceptionOfType(NoSuchElementException.class)
                .isThrownBy(() -> SET.parse().get(ALPHA))
                .withMessageContaining("--alpha");
        assertThat(SET.parse().find(ALPHA)).isEmpty();
    }

    @Test
    void askingForAnotherDeclarationOfTheSameNameIsAMistakeInTheProgram() {
        Arguments arguments = SET.parse();
        OptionSpec<String> impostor = OptionSpec.text("--zeta", "text", "help");

        assertThatIllegalArgumentException().isThrownBy(() -> arguments.get(impostor));
        assertThatIllegalArgumentException().isThrownBy(() -> arguments.isGiven(impostor));
        assertThatIllegalArgumentException().isThrownBy(() -> arguments.get(OptionSpec.flag("--unknown", "help")));
    }

    @Test
    void theMapHoldsEffectiveValuesInTheOrderOfTheDeclaration() {
        assertThat(SET.parse("--fast", "--hosts", "a, b", "--alpha", "x").toMap())
                .containsExactly(
                        Map.entry("--zeta", "3"),
                        Map.entry("--alpha", "x"),
                        Map.entry("--hosts", "a,b"),
                        Map.entry("--fast", "true"));
    }

    @Test
    void theMapLeavesOutOptionsWithoutAValue() {
        assertThat(SET.parse().toMap()).containsExactly(Map.entry("--zeta", "3"), Map.entry("--fast", "false"));
    }

    @Test
    void theMapOfACommandLineMakesTheSameValuesAgain() {
        Map<String, String> map =
                SET.parse("--fast", "--hosts", "a,b", "--alpha", "x=\"y\"").toMap();

        assertThat(SET.parse(map).toMap()).isEqualTo(map);
    }

    @Test
    void theCsvHasOneLinePerValueAndQuotesWhatNeedsIt() {
        assertThat(SET.parse("--hosts", "a,b", "--alpha", "say \"x\"").toCsv()).isEqualTo("""
            --zeta,3
            --alpha,"say ""x""\"
            --hosts,"a,b"
            --fast,false
            """);
    }

    @Test
    void aProgramsOwnRefusalNamesOptionValueAndNeedAndCarriesTheUsageText() {
        UsageException refusal = SET.parse("--zeta", "5").usageError(ZETA, "an even number");

        assertThat(refusal).hasMessage("prog: --zeta: got '5', needs an even number");
        assertThat(SET.parse().usageError(ALPHA, "a text with --fast"))
                .hasMessage("prog: --alpha: has no value, needs a text with --fast");
    }
}
