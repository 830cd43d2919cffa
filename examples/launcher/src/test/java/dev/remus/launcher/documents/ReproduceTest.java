// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** REPRODUCE.md has the verdicts of its experiments. */
@Tag("any-jdk")
class ReproduceTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"buffered-queue", "lazy-list"})
    void theClaimsOfAnExperimentAreThoseOfItsTable(String experiment) throws IOException {
        Commands.output("reproduce", experiment, "--quick", "--out=" + folder);
        String verdicts;
        try (Stream<Path> files = Files.walk(folder)) {
            verdicts = Files.readString(
                    files.filter(file -> file.endsWith("claims.md")).findFirst().orElseThrow());
        }
        String documented = Document.of("examples/REPRODUCE.md").generated().stream()
                .filter(part -> part.command().equals("./remus reproduce " + experiment))
                .findFirst()
                .orElseThrow()
                .text();
        assertThat(claims(documented)).isEqualTo(claims(verdicts)).isNotEmpty();
    }

    private static List<String> claims(String table) {
        return Document.table(table).stream().map(cells -> cells.get(0)).toList();
    }
}
