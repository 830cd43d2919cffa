// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunTableTest {
    @TempDir
    private Path folder;

    private void run(String name, String json) throws Exception {
        Files.writeString(Files.createDirectories(folder.resolve(name)).resolve("metrics.json"), json);
    }

    @Test
    void eachRunIsARowWithItsOptionsAndMeasurements() throws Exception {
        run("b/node-1", "{\"throughput\": 2.5, \"options\": {\"--hosts\": \"a,b\"}, \"metrics\": {\"cas\": 7}}");
        run("a", "{\"throughput\": 1.5, \"books\": {\"balanced\": true}, \"list\": [1, 2]}");
        RunTable table = RunTable.gather(folder);
        assertThat(table.rows())
                .containsExactly(
                        Map.of("run", "a", "throughput", "1.5", "books_balanced", "true"),
                        Map.of(
                                "run",
                                Path.of("b", "node-1").toString(),
                                "throughput",
                                "2.5",
                                "hosts",
                                "a,b",
                                "cas",
                                "7"));
    }

    @Test
    void aRunHasTheMachineAndTheVersionsOfItsOwnFolderOrOfItsSweep() throws Exception {
        run("one", "{\"x\": 1}");
        run("sweep/two", "{\"x\": 2, \"format\": \"kept\"}");
        Files.writeString(
                folder.resolve("one/provenance.json"), "{\"machine\": {\"processors\": 4}, \"command\": [\"a\"]}");
        Files.writeString(folder.resolve("sweep/provenance.json"), "{\"format\": 1, \"software\": {\"java\": \"17\"}}");
        assertThat(RunTable.gather(folder).rows())
                .containsExactly(
                        Map.of("run", "one", "x", "1", "machine_processors", "4"),
                        Map.of(
                                "run",
                                Path.of("sweep", "two").toString(),
                                "x",
                                "2",
                                "format",
                                "kept",
                                "software_java",
                                "17"));
    }

    @Test
    void theTableOfARunsOwnFolderNamesTheRunByThatFolder() throws Exception {
        run("one", "{\"x\": 1}");
        assertThat(RunTable.gather(folder.resolve("one")).rows()).containsExactly(Map.of("run", "one", "x", "1"));
    }

    @Test
    void aDamagedFileIsNamed() throws Exception {
        run("one", "{\"x\": ");
        assertThatThrownBy(() -> RunTable.gather(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("one/metrics.json is damaged: ");
    }

    @Test
    void aTableReadFromItsFileIsEqualToTheWrittenOne() throws Exception {
        run("a", "{\"x\": 1, \"hosts\": \"a,b\"}");
        run("b", "{\"x\": 2, \"hosts\": \"say \\\"c\\\"\"}");
        RunTable table = RunTable.gather(folder);
        table.write(folder.resolve("runs.csv"));
        assertThat(RunTable.read(folder.resolve("runs.csv"))).isEqualTo(table);
    }

    @Test
    void aFolderWithoutRunsIsATableWithoutRows() throws Exception {
        assertThat(RunTable.gather(folder).rows()).isEmpty();
    }
}
