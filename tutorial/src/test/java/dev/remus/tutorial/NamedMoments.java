// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The moments of schedules that pages name. When schedules change with the framework, the pages would be wrong. */
final class NamedMoments {
    /** A change that only marks a pointer: the address of a word ends in 0 or 8, and the mark adds 1. */
    private static final String MARK = "\\[\"change\",\"\\w+\",\"(?<high>\\w*)(?:0\",\"\\k<high>1|8\",\"\\k<high>9)\"]";

    private static final String CHANGE = "\\[\"change\",";
    private static final String END_OF_READ = "\\[\"end\",\\d+,\"SUCCESS\",\\[\"\\w+\"";

    /** In which page it is named, in which page of a browser it is, and what happens then. */
    private record Moment(String page, String played, int number, String event) {}

    private static final List<Moment> ALL = List.of(
            new Moment("tutorial/4-memory.md", "unplaced", 121, "\\[\"end\",\\d+,\"SUCCESS\",\\[\"1\"]"),
            new Moment("tutorial/4-memory.md", "unplaced", 125, "\\[\"change\",\"40\",\"0\",\"2a\"]"),
            new Moment("tutorial/5-a-data-structure.md", "passing", 714, MARK),
            new Moment("tutorial/7-proving-it-right.md", "unlinked", 414, MARK),
            new Moment("tutorial/7-proving-it-right.md", "unlinked", 420, CHANGE),
            new Moment("tutorial/7-proving-it-right.md", "unlinked", 466, CHANGE),
            new Moment("tutorial/7-proving-it-right.md", "overtaken", 557, CHANGE),
            new Moment("tutorial/7-proving-it-right.md", "mixed", 370, "\\[\"change\",\"40000000000050\",\"1\",\"0\"]"),
            new Moment("tutorial/7-proving-it-right.md", "mixed", 371, "\\[\"change\",\"40000000000050\",\"0\",\"1\"]"),
            new Moment("tutorial/8-a-queue.md", "announced", 487, END_OF_READ),
            new Moment("tutorial/site/index.md", "published", 1017, END_OF_READ),
            new Moment("tutorial/site/index.md", "published", 1409, "\"operation\":\"WRITE\""));

    private NamedMoments() {}

    /** Checks those of the schedules that a page's commands have left in this folder. */
    static void check(Path folder) throws IOException {
        for (Moment moment : ALL) {
            Path file = folder.resolve("local/" + moment.played + ".html");
            if (Files.exists(file)) {
                String page = Files.readString(Tree.ROOT.resolve(moment.page));
                assertThat(page).containsPattern("\\b" + moment.number + "\\b");
                String[] moments =
                        Files.readString(file).split("\"moments\":")[1].split("\\{\"step\":");
                assertThat(moments[1 + moment.number])
                        .as(moment.toString())
                        .containsPattern(Pattern.compile(moment.event));
            }
        }
    }
}
