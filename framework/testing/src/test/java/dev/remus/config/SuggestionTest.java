// SPDX-License-Identifier: Apache-2.0
package dev.remus.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The suggestion for an unknown option is the option that was meant. */
class SuggestionTest {
    private static final List<String> KNOWN =
            List.of("--seg-size", "--segs-per-mn", "--out", "--first-mn-id", "--first-cn-id");

    @Test
    void aFewWrongLettersFindTheNearestName() {
        assertThat(Suggestion.nearest("--seg_size", KNOWN)).contains("--seg-size");
        assertThat(Suggestion.nearest("--sge-size", KNOWN)).contains("--seg-size");
        assertThat(Suggestion.nearest("--first-mm-id", KNOWN)).contains("--first-mn-id");
        assertThat(Suggestion.nearest("--first-ccn-id", KNOWN)).contains("--first-cn-id");
    }

    @Test
    void twoSwappedLettersAreOneMistake() {
        assertThat(Suggestion.nearest("--otu", KNOWN)).contains("--out");
    }

    @Test
    void caseAndTheNumberOfDashesDoNotMatter() {
        assertThat(Suggestion.nearest("--OUT", KNOWN)).contains("--out");
        assertThat(Suggestion.nearest("-out", KNOWN)).contains("--out");
    }

    @Test
    void anAbbreviationFindsAWholeName() {
        assertThat(Suggestion.nearest("--segs", KNOWN)).contains("--segs-per-mn");
    }

    @Test
    void aNameThatResemblesNoneFindsNothing() {
        assertThat(Suggestion.nearest("--ab", KNOWN)).isEmpty();
        assertThat(Suggestion.nearest("--throughput", KNOWN)).isEmpty();
        assertThat(Suggestion.nearest("--", KNOWN)).isEmpty();
    }
}
