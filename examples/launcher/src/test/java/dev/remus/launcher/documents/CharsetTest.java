// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.source.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No test depends on the charset of the locale, which is ASCII on a bare machine. Files are in UTF-8. */
@Tag("any-jdk")
class CharsetTest {
    /** An assertion about the content of a file, without the name of a charset. */
    private static final Pattern UNNAMED = Pattern.compile(
            "\\bassertThat\\((?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*\\)(?:\\s*\\.\\w+\\([^()]*\\))*\\s*\\.content\\(\\)");

    @Test
    void noTestReadsAFileInTheCharsetOfTheLocale() throws IOException {
        for (Path file : SourceTree.javaFiles("src/test")) {
            assertThat(Files.readString(file)).as("%s", file).doesNotContainPattern(UNNAMED);
        }
    }
}
