// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsFolderTest {
    @TempDir
    private Path out;

    @Test
    void runsOfTheSameSecondGetDifferentFolders() {
        Path first = ResultsFolder.create(out.resolve("new"), "intset");
        Path second = ResultsFolder.create(out.resolve("new"), "intset");
        assertThat(first).isDirectory();
        assertThat(first.getFileName().toString()).matches("intset-\\d{8}-\\d{6}");
        assertThat(second).isDirectory().isNotEqualTo(first);
    }

    @Test
    void aFolderThatCannotBeWrittenIsNamedWithItsOption() throws Exception {
        Path file = Files.createFile(out.resolve("file"));
        assertThatThrownBy(() -> ResultsFolder.create(file, "intset"))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("--out: got '" + file + "'");
    }

    @Test
    void onlyAnEmptyFolderIsRemoved() throws Exception {
        Path empty = ResultsFolder.create(out, "intset");
        Path full = ResultsFolder.create(out, "intset");
        Files.createFile(full.resolve("metrics.txt"));
        ResultsFolder.removeIfEmpty(empty);
        ResultsFolder.removeIfEmpty(full);
        assertThat(empty).doesNotExist();
        assertThat(full).exists();
    }
}
