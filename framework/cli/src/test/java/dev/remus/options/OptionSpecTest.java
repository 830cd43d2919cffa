// SPDX-License-Identifier: Apache-2.0
package dev.remus.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a declaration of an option promises, and which declarations are mistakes. */
@Tag("any-jdk")
class OptionSpecTest {
    enum Colour {
        RED,
        GREEN
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "--", "seg-size", "-s", "--Seg", "--seg_size", "--seg--size", "--seg-", "--1a", "--a=b"})
    void aNameThatIsNotTwoDashesAndLowerCaseWordsIsRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OptionSpec.flag(name, "help"))
                .withMessageContaining("'" + name + "'");
    }

    @Test
    void anEmptyRangeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OptionSpec.integer("--n", 2, 1, "help"))
                .withMessageContaining("2..1");
    }

    @Test
    void aDefaultThatTheOptionWouldRefuseIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OptionSpec.integer("--n", 1, 9, "help").withDefault(10L))
                .withMessageContaining("--n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OptionSpec.text("--t", "text", "help").withDefault(" "));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OptionSpec.list("--l", "item", "help").withDefault(List.of("a,b")));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OptionSpec.path("--p", "help").withDefault(Path.of("")));
    }

    @Test
    void aFlagHasNoOtherDefaultAndIsNeverRequired() {
        OptionSpec<Boolean> flag = OptionSpec.flag("--f", "help");

        assertThat(flag.defaultValue()).contains(false);
        assertThatIllegalArgumentException().isThrownBy(() -> flag.withDefault(true));
        assertThatIllegalArgumentException().isThrownBy(flag::required);
    }

    @Test
    void aListIsEmptyByDefault() {
        assertThat(OptionSpec.list("--l", "item", "help").defaultValue()).contains(List.of());
    }

    @Test
    void aDefaultListThatChangesLaterDoesNotChangeTheOption() {
        List<String> items = new ArrayList<>(List.of("a"));
        OptionSpec<List<String>> list = OptionSpec.list("--l", "item", "help").withDefault(items);
        items.add("b");

        assertThat(list.defaultValue()).contains(List.of("a"));
    }

    @Test
    void withDefaultAndRequiredLeaveTheOptionThatTheyAreCalledOnAlone() {
        OptionSpec<Colour> plain = OptionSpec.choice("--c", Colour.class, "help");
        OptionSpec<Colour> red = plain.withDefault(Colour.RED);
        OptionSpec<Colour> required = plain.required();

        assertThat(plain.defaultValue()).isEmpty();
        assertThat(plain.isRequired()).isFalse();
        assertThat(red.defaultValue()).contains(Colour.RED);
        assertThat(required.isRequired()).isTrue();
    }

    @Test
    void theLastOfDefaultAndRequiredCounts() {
        OptionSpec<Long> n = OptionSpec.integer("--n", 1, 9, "help");

        assertThat(n.withDefault(1L).required().defaultValue()).isEmpty();
        assertThat(n.required().withDefault(1L).isRequired()).isFalse();
    }

    @Test
    void anOptionPrintsAsItsName() {
        assertThat(OptionSpec.flag("--check-memory", "help"))
                .hasToString("--check-memory")
                .extracting(OptionSpec::name)
                .isEqualTo("--check-memory");
    }
}
