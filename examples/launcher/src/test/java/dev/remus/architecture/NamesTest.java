// SPDX-License-Identifier: Apache-2.0
package dev.remus.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.source.SourceTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** One idea, one name. */
class NamesTest {
    @Test
    void noTwoClassesHaveTheSameSimpleName() throws IOException {
        Map<String, Path> files = new TreeMap<>();
        Map<String, Path> again = new TreeMap<>();
        for (Path file : SourceTree.javaFiles("src/main/java")) {
            String name = file.getFileName().toString();
            if (!name.contains("-") && files.putIfAbsent(name, file) != null) {
                again.put(name, file);
            }
        }
        assertThat(files).hasSizeGreaterThan(500);
        assertThat(again).isEmpty();
    }
}
