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

/** Javadoc belongs to a declaration. Only JDK 23 and later warn of one that does not, JDK 17 builds it. */
class JavadocTest {
    private static final Pattern TWO_IN_A_ROW = Pattern.compile("\\*/\\s*/\\*\\*");

    @Test
    void noJavadocIsFollowedByAnother() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : SourceTree.javaFiles("src")) {
            if (TWO_IN_A_ROW.matcher(Files.readString(file)).find()) {
                found.add(file.toString());
            }
        }
        assertThat(found).isEmpty();
    }
}
