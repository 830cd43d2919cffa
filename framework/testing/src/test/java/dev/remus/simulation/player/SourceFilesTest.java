// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.player;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceFilesTest {
    @TempDir
    private Path folder;

    private Path file(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    @Test
    void aLineOfAModuleBelowTheFolderHasItsTextWithoutIndentation() throws IOException {
        file("group/module/src/main/java/a/b/List.java", "one\n    two\n");
        file("src/test/java/ListTest.java", "three\n");
        SourceFiles files = SourceFiles.in(folder, "");
        assertThat(files.text("List.java:2")).isEqualTo("two");
        assertThat(files.text("ListTest.java:1")).isEqualTo("three");
    }

    @Test
    void aLineThatIsNotAtHandHasNoText() throws IOException {
        file("src/main/java/List.java", "one\n");
        SourceFiles files = SourceFiles.in(folder, "");
        assertThat(files.text("List.java:2")).isEmpty();
        assertThat(files.text("List.java:-1")).isEmpty();
        assertThat(files.text("Other.java:1")).isEmpty();
        assertThat(files.text("")).isEmpty();
        assertThat(SourceFiles.in(folder.resolve("missing"), "").text("List.java:1"))
                .isEmpty();
    }

    @Test
    void oneNameOfTwoFilesStandsForTheExplicitOneOrForNone() throws IOException {
        file("a/src/main/java/List.java", "one\n");
        file("b/src/main/java/List.java", "two\n");
        assertThat(SourceFiles.in(folder, "").text("List.java:1")).isEmpty();
        Path copy = file("local/List.java", "three\n");
        assertThat(SourceFiles.in(folder, copy.toString()).text("List.java:1")).isEqualTo("three");
    }
}
