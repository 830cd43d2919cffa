// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.source.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A Java file holds one idea, in at most 500 lines. A longer one is to be split along an idea, not cut. */
class FileLengthTest {
    private static final int MAX_LINES = 500;

    @Test
    void noJavaFileHasMoreThan500Lines() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : SourceTree.javaFiles("src")) {
            int lines = Files.readAllLines(file).size();
            if (lines > MAX_LINES) {
                found.add(file + ": " + lines + " lines");
            }
        }
        assertThat(found).isEmpty();
    }
}
