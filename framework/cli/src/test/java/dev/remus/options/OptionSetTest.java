// SPDX-License-Identifier: Apache-2.0
package dev.remus.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a command line is read, and which ones are refused with which words. */
@Tag("any-jdk")
class OptionSetTest {
    enum Colour {
        RED,
        DARK_RED;

        @Override
        public String toString() {
            return this == RED ? "red" : "dark-red";
        }
    }

    private static final OptionSpec<Long> NODE =
            OptionSpec.integer("--node", 0, 9, "The node").required();
    private static final OptionSpec<Long> DELTA =
            OptionSpec.integer("--delta", -5, Long.MAX_VALUE, "The delta").withDefault(3L);
    private static final OptionSpec<String> NAME = OptionSpec.text("--name", "name", "The name");
    private static final OptionSpec<Colour> COLOUR =
            OptionSpec.choice("--colour", Colour.class, "The colour").withDefault(Colour.RED);
    private static final OptionSpec<Boolean> FAST = OptionSpec.flag("--fast", "Whether to hurry");
    private static final OptionSpec<List<String>> HOSTS = OptionSpec.list("--hosts", "host", "The hosts");
    private static final OptionSpec<Path> OUT = OptionSpec.path("--out", "The folder");

    private final OptionSet set = new OptionSet("prog", "Does something.")
            .include(new OptionGroup("First", NODE, DELTA, NAME), new OptionGroup("Second", COLOUR, FAST, HOSTS, OUT));

    private Arguments parse(String... more) {
        return set.parse(withNode(more));
    }

    private static String[] withNode(String... more) {
        String[] args = new String[more.length + 2];
        args[0] = "--node";
        args[1] = "1";
        System.arraycopy(more, 0, args, 2, more.length);
        return args;
    }

    private AbstractThrowableAssert<?, ?> assertRefused(String... args) {
        UsageException refusal = catchThrowableOfType(UsageException.class, () -> set.parse(args));
        assertThat(refusal).as("the refusal of %s", String.join(" ", args)).isNotNull();
        return assertThat(refusal).hasMessageStartingWith("prog: ");
    }

    @Test
    void everyKindOfOptionGivesItsTypedValue() {
        Arguments arguments = parse(
                "--delta",
                "-5",
                "--name",
                "a b",
                "--colour",
                "dark-red",
                "--fast",
                "--hosts",
                "x, y,z",
                "--out",
                "a/b");

        assertThat(arguments.get(NODE)).isEqualTo(1L);
        assertThat(arguments.get(DELTA)).isEqualTo(-5L);
        assertThat(arguments.get(NAME)).isEqualTo("a b");
        assertThat(arguments.get(COLOUR)).isEqualTo(Colour.DARK_RED);
        assertThat(arguments.get(FAST)).isTrue();
        assertThat(arguments.get(HOSTS)).containsExactly("x", "y", "z");
        assertThat(arguments.get(OUT)).isEqualTo(Path.of("a", "b"));
    }

    @Test
    void aValueMayFollowAnEqualsSign() {
        Arguments arguments = parse("--delta=-5", "--name=-a=b", "--colour=dark-red");

        assertThat(arguments.get(DELTA)).isEqualTo(-5L);
        assertThat(arguments.get(NAME)).isEqualTo("-a=b");
        assertThat(arguments.get(COLOUR)).isEqualTo(Colour.DARK_RED);
    }

    @Test
    void quotesAreTheShellsBusinessAndStayInAValue() {
        assertThat(parse("--name", "\"a\"").get(NAME)).isEqualTo("\"a\"");
    }

    @Test
    void anOptionThatIsNotGivenHasItsDefault() {
        Arguments arguments = parse();

        assertThat(arguments.get(DELTA)).isEqualTo(3L);
        assertThat(arguments.get(COLOUR)).isEqualTo(Colour.RED);
        assertThat(arguments.get(FAST)).isFalse();
        assertThat(arguments.get(HOSTS)).isEmpty();
        assertThat(arguments.find(NAME)).isEmpty();
    }

    @Test
    void aMissingRequiredOptionIsNamedAndExitsWithUsage() {
        assertRefused().hasMessageContaining("missing --node (a whole number from 0 to 9)");
        assertThat(UsageException.EXIT_STATUS).isEqualTo(2);
    }

    @Test
    void allMissingRequiredOptionsAreNamedAtOnce() {
        OptionSpec<String> other = OptionSpec.text("--other", "text", "help").required();
        set.include(new OptionGroup("Third", other));

        assertRefused().hasMessageContaining("--node").hasMessageContaining("--other");
    }

    @Test
    void anUnknownOptionIsRefusedWithTheNearestOne() {
        assertRefused(withNode("--colur", "red"))
                .hasMessageContaining("unknown option --colur; did you mean --colour?");
        assertRefused(withNode("--colur=red")).hasMessageContaining("unknown option --colur; did you mean --colour?");
        assertRefused(withNode("--hlep")).hasMessageContaining("did you mean --help?");
    }

    @Test
    void anUnknownOptionThatIsLikeNoOtherIsRefusedWithoutASuggestion() {
        assertRefused(withNode("--zzzzzz")).hasMessageEndingWith("unknown option --zzzzzz");
    }

    @Test
    void abbreviationsAreRefusedWithTheWholeName() {
        assertRefused(withNode("--col", "red")).hasMessageContaining("unknown option --col; did you mean --colour?");
        assertRefused(withNode("--fas")).hasMessageContaining("did you mean --fast?");
    }

    @Test
    void anOptionWithOneDashIsRefusedWithTheOneWithTwo() {
        assertRefused(withNode("-colour", "red"))
                .hasMessageContaining("-colour, options need two dashes; did you mean --colour?");
        assertRefused(withNode("-delta5")).hasMessageContaining("two dashes");
    }

    @Test
    void aRepeatedOptionIsRefused() {
        assertRefused("--node", "1", "--node", "1").hasMessageContaining("--node is given more than once");
        assertRefused(withNode("--fast", "--fast")).hasMessageContaining("--fast is given more than once");
        assertRefused(withNode("--name=a", "--name", "b")).hasMessageContaining("--name is given more than once");
    }

    @Test
    void anOptionAtTheEndWithoutItsValueIsRefused() {
        assertRefused("--node").hasMessageContaining("--node has no value, needs a whole number from 0 to 9");
    }

    @Test
    void anOptionIsNeverTheValueOfTheOneBeforeEvenIfItIsMistyped() {
        assertRefused(withNode("--name", "--fast")).hasMessageContaining("--name has no value");
        assertRefused(withNode("--name", "--fsat")).hasMessageContaining("--name has no value");
        assertRefused(withNode("--name", "--", "x")).hasMessageContaining("--name has no value");
    }

    @Test
    void anEmptyValueIsRefusedForEveryKindOfOption() {
        for (OptionSpec<?> spec : List.of(DELTA, NAME, COLOUR, HOSTS, OUT)) {
            assertRefused(withNode(spec.name(), "")).hasMessageContaining(spec.name() + ": got '', needs ");
            assertRefused(withNode(spec.name() + "=")).hasMessageContaining(spec.name() + ": got '', needs ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"1x", "x", " 1", "1 ", "+1", "0x1", "1_0", "1.0", "1e1", "--1", "\u0661", "99999999999999999999"
            })
    void aNumberWithGarbageIsRefused(String number) {
        assertRefused("--node=" + number)
                .hasMessageContaining("--node: got '" + number + "', needs a whole number from 0 to 9");
    }

    @Test
    void aNumberOutOfItsRangeIsRefused() {
        assertThat(set.parse("--node", "0").get(NODE)).isZero();
        assertThat(set.parse("--node", "9").get(NODE)).isEqualTo(9L);
        assertRefused("--node", "10").hasMessageContaining("--node: got '10', needs a whole number from 0 to 9");
        assertRefused("--node", "-1").hasMessageContaining("--node: got '-1'");
        assertRefused(withNode("--delta", "-6")).hasMessageContaining("needs a whole number of at least -5");
    }

    @ParameterizedTest
    @ValueSource(strings = {"RED", "blue", "re"})
    void aChoiceIsOneOfTheNamesExactly(String colour) {
        assertRefused(withNode("--colour", colour))
                .hasMessageContaining("--colour: got '" + colour + "', needs one of red, dark-red");
    }

    @ParameterizedTest
    @ValueSource(strings = {",", "a,", ",a", "a,,b", "a, ,b"})
    void aListWithAnEmptyEntryIsRefused(String hosts) {
        assertRefused(withNode("--hosts", hosts)).hasMessageContaining("--hosts: got '" + hosts + "'");
    }

    @Test
    void aPathThatTheFileSystemCannotHaveIsRefused() {
        assertRefused(withNode("--out", "a\0b")).hasMessageContaining("--out").hasMessageContaining("needs a path");
    }

    @Test
    void aFlagTakesNoValue() {
        assertRefused(withNode("--fast=true")).hasMessageContaining("--fast is a flag, it needs no value");
    }

    @Test
    void positionalArgumentsAreRefusedUnlessAllowed() {
        assertRefused(withNode("extra")).hasMessageContaining("unexpected argument 'extra'");
        assertRefused(withNode("--", "extra")).hasMessageContaining("unexpected argument 'extra'");

        set.allowRest("file");
        assertThat(parse("a", "--fast", "b").rest()).containsExactly("a", "b");
    }

    @Test
    void everythingAfterTwoDashesIsPositional() {
        set.allowRest("file");
        Arguments arguments = parse("--", "--fast", "-x", "--help", "--");

        assertThat(arguments.rest()).containsExactly("--fast", "-x", "--help", "--");
        assertThat(arguments.get(FAST)).isFalse();
        assertThat(arguments.helpRequested()).isFalse();
    }

    @Test
    void helpNeedsNoRequiredOptionAndSilencesEveryComplaint() {
        assertThat(set.parse("--help").helpRequested()).isTrue();
        assertThat(set.parse("--bogus", "--node", "--help").helpRequested()).isTrue();
        assertThat(set.parse("--help").get(DELTA)).isEqualTo(3L);
        assertThat(parse().helpRequested()).isFalse();
    }

    @Test
    void theLaunchersValuesFillWhatIsNotGiven() {
        Arguments arguments = set.parse(Map.of("--node", "7", "--delta", "8", "--fast", "true"), "--delta", "9");

        assertThat(arguments.get(NODE)).isEqualTo(7L);
        assertThat(arguments.get(DELTA)).isEqualTo(9L);
        assertThat(arguments.get(FAST)).isTrue();
    }

    @Test
    void theLaunchersValuesAreCheckedLikeAllOthers() {
        UsageException refusal = catchThrowableOfType(UsageException.class, () -> set.parse(Map.of("--node", "70")));

        assertThat(refusal).hasMessageContaining("--node: got '70'");
    }

    @Test
    void aLauncherThatNamesAnUnknownOptionIsAMistakeInTheProgram() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> set.parse(Map.of("--nod", "7")))
                .withMessageContaining("--nod");
    }

    @Test
    void requiredOptionsMayHaveADefaultInEachCommandLineThatLacksACertainOption() {
        OptionSpec<Long> port = OptionSpec.integer("--port", 1, 9, "The port").required();
        set.include(new OptionGroup("Third", port)).defaultsWithout(NODE, Map.of("--port", "7"));

        assertThat(set.parse().get(port)).isEqualTo(7L);
        assertThat(set.parse().isGiven(port)).isFalse();
        assertThat(set.parse().find(NODE)).isEmpty();
        assertThat(set.parse("--port", "3").get(port)).isEqualTo(3L);
        assertRefused("--node", "1").hasMessageEndingWith("missing --port (a whole number from 1 to 9)");
        assertThat(set.parse("--node", "1", "--port", "3").get(NODE)).isEqualTo(1L);
    }

    @Test
    void aDefaultForAnOptionThatDoesNotExistIsAMistakeInTheProgram() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> set.defaultsWithout(NODE, Map.of("--prt", "7")))
                .withMessageContaining("--prt");
    }

    @Test
    void theSameNameInTwoGroupsIsAMistakeInTheProgram() {
        OptionGroup again = new OptionGroup("Again", OptionSpec.flag("--fast", "help"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> set.include(again))
                .withMessageContaining("--fast")
                .withMessageContaining("Again");
    }

    @Test
    void aProgramCannotDeclareHelpItself() {
        OptionGroup help = new OptionGroup("Mine", OptionSpec.flag("--help", "help"));

        assertThatIllegalArgumentException().isThrownBy(() -> set.include(help));
    }

    @Test
    void aUsageErrorPrintsTwoLinesOfHelpAndTheMessageLast() {
        UsageException refusal = catchThrowableOfType(UsageException.class, set::parse);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        refusal.printTo(new PrintStream(bytes, false, StandardCharsets.UTF_8));

        assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
                .containsExactly("Usage: prog --node <n> [options]", "Try: prog --help", refusal.getMessage());
        assertThat(refusal).hasMessageStartingWith("prog: missing --node");
    }

    @Test
    void aMistypedChoiceGetsASuggestion() {
        assertRefused(withNode("--colour", "dark-rde")).hasMessageEndingWith("; did you mean dark-red?");
        assertRefused(withNode("--colour", "pink")).hasMessageNotContaining("did you mean");
    }
}
