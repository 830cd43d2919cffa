// SPDX-License-Identifier: Apache-2.0
package dev.remus.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublicDocumentationTest {
    @TempDir
    private Path folder;

    @Test
    void exactlyTheGapsAreFound() throws Exception {
        Files.writeString(folder.resolve("Sample.java"), """
                public class Sample<T> {
                    public int field;
                    private int hidden;
                    /** Documented. */
                    public void run() throws java.io.IOException {}
                    /** Two numbers. @param a one */
                    public record Pair(int a, int b) {}
                    /** Does something. */
                    public interface Door { void open(); }
                    @Override public String toString() { return ""; }
                    void ours() {}
                    static class Inner { public int alsoOurs; }
                }
                """);
        assertThat(PublicDocumentation.gaps(folder))
                .map(gap -> gap.substring(gap.lastIndexOf(": ") + 2))
                .containsExactlyInAnyOrder(
                        "no comment on Sample",
                        "no comment on field",
                        "no @throws java.io.IOException",
                        "no @param b",
                        "no comment on open",
                        "no package-info.java");
    }
}
