// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands in the pages print the output that the pages show, and play the moments that they name. */
@Tag("processes")
@Tag("any-jdk")
@Timeout(400)
@DisabledOnOs(OS.WINDOWS)
@Execution(ExecutionMode.CONCURRENT)
class CommandsTest {
    private static final String ANYTHING = "...";

    /** A number, with its unit of time if it has one, since the unit depends on the speed of the machine. */
    private static final Pattern NUMBER = Pattern.compile("[0-9][0-9.,]*( (ns|µs|ms|s|min)\\b)?");

    @TempDir
    private Path folder;

    static List<Path> pages() throws IOException {
        return Tree.pages();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void theCommandsOfAPagePrintItsOutputAndTheMomentsThatItNamesAreThose(Path page) throws Exception {
        List<Page.Block> blocks =
                Page.read(page).blocks().stream().filter(Page.Block::isRun).toList();
        List<List<String>> outputs;
        try (Sandbox sandbox = new Sandbox(folder)) {
            outputs = sandbox.run(blocks);
        }
        for (int i = blocks.size() - 1; i >= 0; i--) {
            Page.Block block = blocks.get(i);
            if (!isAsExpected(block, outputs.get(i))) {
                if (Tree.UPDATE) {
                    List<String> lines = new ArrayList<>();
                    block.commands().forEach(command -> lines.add("$ " + command));
                    lines.addAll(outputs.get(i));
                    Page.replace(block, lines);
                } else {
                    assertThat(String.join("\n", outputs.get(i)))
                            .as(block.toString())
                            .isEqualTo(String.join("\n", block.output()));
                }
            }
        }
        NamedMoments.check(folder);
    }

    private static boolean isAsExpected(Page.Block block, List<String> output) {
        List<String> expected = comparable(block.output(), block.comment());
        List<String> actual = comparable(output, block.comment());
        if (block.comment().contains("order varies")) {
            return expected.stream()
                    .sorted()
                    .toList()
                    .equals(actual.stream().sorted().toList());
        }
        return matches(expected, actual);
    }

    private static List<String> comparable(List<String> lines, String comment) {
        return comment.contains("numbers vary")
                ? lines.stream()
                        .map(line -> NUMBER.matcher(line).replaceAll("#").replaceAll(" +", " "))
                        .toList()
                : lines;
    }

    /** A line of three dots stands for any lines. */
    private static boolean matches(List<String> expected, List<String> actual) {
        String pattern = expected.stream()
                .map(line -> line.equals(ANYTHING) ? "(.*\n)*" : Pattern.quote(line + "\n"))
                .collect(Collectors.joining());
        return actual.stream()
                .map(line -> line + "\n")
                .collect(Collectors.joining())
                .matches(pattern);
    }
}
