// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.source.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** No line of text has more than 120 columns. The formatter breaks code, but neither comments nor pages. */
class LineLengthTest {
    private static final int MAX_COLUMNS = 120;

    private static final Pattern COMMENT = Pattern.compile("\\s*(?:\\*|//|/\\*).*");

    /** Tables, and pictures with what they show. */
    private static final Pattern UNBREAKABLE = Pattern.compile("\\s*(?:\\||<!--|!\\[).*");

    @Test
    void noCommentHasALongerLine() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : SourceTree.javaFiles("src")) {
            boolean preformatted = false;
            for (String line : Files.readAllLines(file)) {
                preformatted = (preformatted || line.contains("<pre>")) && !line.contains("</pre>");
                if (!preformatted && COMMENT.matcher(line).matches()) {
                    addIfLong(found, file.getFileName().toString(), line);
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void noParagraphOfAPageHasALongerLine() throws IOException {
        List<String> found = new ArrayList<>();
        for (Document page : Document.all()) {
            boolean printed = false;
            for (String line : page.text().lines().toList()) {
                boolean fence = line.strip().startsWith("```");
                if (!printed && !UNBREAKABLE.matcher(line).matches()) {
                    addIfLong(found, page.path().toString(), line);
                }
                printed ^= fence;
            }
        }
        assertThat(found).isEmpty();
    }

    private static void addIfLong(List<String> found, String where, String line) {
        if (line.codePointCount(0, line.length()) > MAX_COLUMNS) {
            found.add(where + ": " + line.strip());
        }
    }
}
