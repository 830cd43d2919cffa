// SPDX-License-Identifier: Apache-2.0
package dev.remus.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the user sees after {@code --help} or a mistake. */
class UsageTextTest {
    enum Speed {
        SLOW,
        FAST
    }

    private final OptionSet set = new OptionSet("prog", "Does something.")
            .include(new OptionGroup(
                    "Where",
                    OptionSpec.integer("--node", 0, 9, "The node").required(),
                    OptionSpec.list("--hosts", "host", "The hosts")))
            .include(new OptionGroup(
                    "How",
                    OptionSpec.integer("--items", 1, Long.MAX_VALUE, "The items")
                            .withDefault(5L),
                    OptionSpec.choice("--speed", Speed.class, "The speed").withDefault(Speed.SLOW),
                    OptionSpec.flag("--verify", "Whether to verify")))
            .example("prog --node 1 --items 7");

    @Test
    void optionsAreGroupedWithDefaultRangeAndWhetherTheyAreRequired() {
        assertThat(set.usage(100)).isEqualTo("""
            Usage: prog --node <n> [options]

            Does something.

            Where
              --node <n>          The node (required; 0..9)
              --hosts <host,...>  The hosts

            How
              --items <n>         The items (default 5; 1..)
              --speed <choice>    The speed (default SLOW; SLOW|FAST)
              --verify            Whether to verify

            Help
              --help              Print this text and do nothing else

            Examples
              prog --node 1 --items 7
            """);
    }

    @Test
    void optionsThatHaveADefaultWithoutAnotherOptionAreNotInTheFirstLine() {
        OptionSpec<Long> id = OptionSpec.integer("--id", 0, 9, "The id").required();
        OptionSpec<Long> port = OptionSpec.integer("--port", 1, 9, "The port").required();
        OptionSpec<Long> size = OptionSpec.integer("--size", 1, 9, "The size").required();
        OptionSet either = new OptionSet("prog", "Does something.")
                .include(new OptionGroup("Where", id, port, size))
                .defaultsWithout(id, Map.of("--port", "7"));

        assertThat(either.usage(100)).startsWith("""
            Usage: prog --size <n> [options]

            Does something.

            Where
              --id <n>    The id (0..9)
              --port <n>  The port (default 7 without --id, else required; 1..9)
              --size <n>  The size (required; 1..9)
            """);
    }

    @Test
    void positionalArgumentsShowInTheFirstLine() {
        assertThat(set.allowRest("file").usage(100)).startsWith("Usage: prog --node <n> [options] [<file>...]\n");
        assertThat(set.requireOne("file").usage(100)).startsWith("Usage: prog --node <n> [options] <file>\n");
    }

    @Test
    void noLineIsWiderThanTheTerminal() {
        OptionSet all = new OptionSet("prog", "Does something.").include(RemusOptions.groups());

        for (int width : new int[] {60, 80, 100, 200}) {
            assertThat(all.usage(width).lines())
                    .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(width));
        }
    }

    @Test
    void anExampleIsNotWrappedSoThatItCanBePasted() {
        String example = "prog " + "--node 1 ".repeat(20) + "end";

        assertThat(set.example(example).usage(60)).contains("  " + example + "\n");
    }

    @Test
    void theWidthIsThatOfTheTerminalOr100() {
        assertThat(UsageText.width("132")).isEqualTo(132);
        assertThat(UsageText.width(null)).isEqualTo(100);
        assertThat(UsageText.width("wide")).isEqualTo(100);
        assertThat(UsageText.width("")).isEqualTo(100);
        assertThat(UsageText.width("3")).isEqualTo(60);
    }
}
