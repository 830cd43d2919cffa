// SPDX-License-Identifier: Apache-2.0
package dev.remus.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fuzz.Fuzz;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever is on a command line, it is read or refused as a usage error. */
@Tag("any-jdk")
@Timeout(300)
class RandomOptionsTest {
    private static final OptionSet SET = new OptionSet("prog", "A program.").include(RemusOptions.groups());

    private static final List<String> WORDS = List.of(
            "",
            " ",
            "-",
            "--",
            "---",
            "--=",
            "--=x",
            "-=",
            "=",
            "--help",
            "--help=1",
            "-h",
            "true",
            "no",
            "abort",
            "RAND",
            "\0",
            "a\0b",
            "\n",
            "\uD800",
            "\uFFFF",
            "\u202E--seg-size",
            "\u0661\u0662",
            "\uFF11",
            "１２",
            "ⅷ",
            "½",
            "\u00A0",
            "--ſeg-size",
            "--seg\u2010size",
            "ﷺ",
            "🂡",
            "%d%d",
            "%s",
            "../..",
            "/",
            ".",
            "..",
            ",",
            ",,",
            "a,,b",
            "\"",
            "'",
            "1e9",
            "0x10",
            "+1",
            "-0",
            "00",
            "1_000",
            "1.0",
            "NaN",
            "9".repeat(500),
            "-" + "9".repeat(30),
            "x".repeat(5000));

    @Test
    void anyCommandLineIsReadOrRefusedWithAMessage() {
        SplittableRandom random = Fuzz.random(1);
        List<String> names = Arrays.stream(RemusOptions.groups())
                .flatMap(group -> group.specs().stream().map(OptionSpec::name))
                .toList();
        for (int i = Fuzz.times(20_000); i > 0; i--) {
            String[] words = words(names, random);
            try {
                Arguments arguments = SET.parse(words);
                assertThat(arguments.toCsv()).isNotNull();
                if (!arguments.helpRequested()) {
                    RemusOptions.clusterConfig(arguments);
                    RemusOptions.nodeId(arguments);
                }
            } catch (UsageException e) {
                assertThat(e.getMessage()).startsWith("prog: ");
            } catch (RuntimeException | Error e) {
                throw new AssertionError("command line " + List.of(words), e);
            }
        }
    }

    /** Often all that is required, so that there is a configuration to be made. */
    private static String[] words(List<String> names, SplittableRandom random) {
        List<String> words = new ArrayList<>();
        if (random.nextInt(4) > 0) {
            for (String required : List.of("node-id", "first-mn-id", "last-mn-id", "first-cn-id", "last-cn-id")) {
                words.add("--" + required + "=" + random.nextInt(random.nextBoolean() ? 3 : 1100));
            }
            words.add("--mn-port=" + (1 + random.nextInt(70_000)));
            words.add("--cn-threads=" + random.nextInt(5));
        }
        for (int i = random.nextInt(5); i > 0; i--) {
            String name = names.get(random.nextInt(names.size()));
            switch (random.nextInt(4)) {
                case 0 -> words.add(value(random));
                case 1 -> {
                    words.add(name);
                    words.add(value(random));
                }
                case 2 -> words.add(name);
                default -> words.add(name + "=" + value(random));
            }
        }
        return words.toArray(String[]::new);
    }

    private static String value(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> Long.toString(Fuzz.weird(random));
            case 1 -> text(random);
            case 2 -> Integer.toString(random.nextInt(40));
            default -> WORDS.get(random.nextInt(WORDS.size()));
        };
    }

    private static String text(SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            text.append((char) (random.nextBoolean() ? random.nextInt(128) : random.nextInt(0x10000)));
        }
        return text.toString();
    }
}
