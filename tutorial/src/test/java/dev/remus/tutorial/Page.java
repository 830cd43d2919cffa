// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page, and its blocks of code and commands. A comment in the line above a block describes it:
 *
 * <pre>
 * &lt;!-- code: page5/LazyList.java#node --&gt;   a region of a program, between "// #region node" and "// #endregion node"
 * &lt;!-- code: page5/LazyList.java --&gt;        the whole program, without its imports
 * &lt;!-- run --&gt;                              commands, each behind "$ ", and what they print
 * &lt;!-- run: numbers vary, order varies --&gt;  the same, but only the words of each line count, or the lines as a set
 * &lt;!-- not run --&gt;                          commands that no test runs
 * </pre>
 */
final class Page {
    private static final Pattern COMMENT = Pattern.compile("<!-- (.*) -->");

    private final Path file;
    private final List<String> lines;

    /** A block: lines {@code from} to {@code to}, without the fences. */
    record Block(Path page, String comment, String language, int from, int to, List<String> lines) {
        boolean isCode() {
            return comment.startsWith("code: ");
        }

        boolean isRun() {
            return comment.equals("run") || comment.startsWith("run: ");
        }

        List<String> commands() {
            return lines.stream()
                    .filter(line -> line.startsWith("$ "))
                    .map(line -> line.substring(2))
                    .toList();
        }

        /** What the commands print. */
        List<String> output() {
            return lines.stream().filter(line -> !line.startsWith("$ ")).toList();
        }

        @Override
        public String toString() {
            return page.getFileName() + ", line " + from;
        }
    }

    private Page(Path file, List<String> lines) {
        this.file = file;
        this.lines = lines;
    }

    static Page read(Path file) throws IOException {
        return new Page(file, Files.readAllLines(file));
    }

    /** All its blocks, from top to bottom. */
    List<Block> blocks() {
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith("```")) {
                int end = i + 1;
                while (!lines.get(end).equals("```")) {
                    end++;
                }
                Matcher comment = COMMENT.matcher(i > 0 ? lines.get(i - 1) : "");
                blocks.add(new Block(
                        file,
                        comment.matches() ? comment.group(1) : "",
                        lines.get(i).substring(3),
                        i + 1,
                        end,
                        List.copyOf(lines.subList(i + 1, end))));
                i = end;
            }
        }
        return blocks;
    }

    /** Replaces the lines of a block. Replace the last block first, so that line numbers stay valid. */
    static void replace(Block block, List<String> others) throws IOException {
        List<String> all = new ArrayList<>(Files.readAllLines(block.page()));
        all.subList(block.from(), block.to()).clear();
        all.addAll(block.from(), others);
        Files.write(block.page(), all);
    }
}
