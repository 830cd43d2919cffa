// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The code in the pages is a copy of the programs. */
class CodeTest {
    static List<Path> pages() throws IOException {
        return Tree.pages();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void theCodeInAPageIsThatOfAProgram(Path page) throws IOException {
        List<Page.Block> blocks = new ArrayList<>(Page.read(page).blocks());
        Collections.reverse(blocks);
        for (Page.Block block : blocks) {
            assertThat(block.isCode())
                    .as("%s: a block of Java names its source, and no other block does", block)
                    .isEqualTo(block.language().equals("java"));
            if (block.isCode()) {
                List<String> code = code(block.comment().substring("code: ".length()));
                if (Tree.UPDATE) {
                    Page.replace(block, code);
                } else {
                    assertThat(block.lines()).as(block.toString()).isEqualTo(code);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyBlockOfCommandsIsRunOrMarkedAsNotRun(Path page) throws IOException {
        for (Page.Block block : Page.read(page).blocks()) {
            if (block.language().equals("console")) {
                assertThat(block.isRun() || block.comment().equals("not run"))
                        .as(block.toString())
                        .isTrue();
                assertThat(block.commands()).as(block.toString()).isNotEmpty();
            }
        }
    }

    /** A whole program, or a region of one. */
    private static List<String> code(String place) throws IOException {
        String[] parts = place.split("#");
        List<String> lines = Files.readAllLines(Tree.PROGRAMS.resolve(parts[0]));
        List<String> code = parts.length == 1 ? withoutHeader(lines) : region(lines, parts[1], place);
        int indent = code.stream()
                .filter(line -> !line.isBlank())
                .mapToInt(line -> line.length() - line.stripLeading().length())
                .min()
                .orElse(0);
        return code.stream()
                .filter(line -> !line.strip().matches("// #(end)?region \\S+"))
                .map(line -> line.isBlank() ? "" : line.substring(indent))
                .toList();
    }

    private static List<String> withoutHeader(List<String> lines) {
        int from = 0;
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith("import ") || lines.get(i).startsWith("package ")) {
                from = i + 1;
            }
        }
        while (lines.get(from).isBlank()) {
            from++;
        }
        return lines.subList(from, lines.size());
    }

    private static List<String> region(List<String> lines, String name, String place) {
        List<String> stripped = lines.stream().map(String::strip).toList();
        int from = stripped.indexOf("// #region " + name);
        int to = stripped.indexOf("// #endregion " + name);
        assertThat(from).as("the region %s", place).isNotNegative().isLessThan(to);
        return lines.subList(from + 1, to);
    }
}
