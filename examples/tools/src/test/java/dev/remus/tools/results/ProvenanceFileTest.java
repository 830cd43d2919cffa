// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.remus.cli.cluster.RunRecord;
import dev.remus.cli.progress.ProgressLog;
import dev.remus.options.OptionSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProvenanceFileTest {
    private static final OptionSpec<Long> SEED =
            OptionSpec.integer("--seed", Long.MIN_VALUE, Long.MAX_VALUE, "The seed");

    @TempDir
    private Path folder;

    private static Provenance provenance(String... command) {
        return Provenance.of(new RunRecord(
                Instant.parse("2026-01-02T03:04:05.678Z"), List.of(command), List.of("-Xmx256m"), new ProgressLog()));
    }

    private Path file() {
        return folder.resolve(ProvenanceFile.NAME);
    }

    @Test
    void aFileIsReadAsItWasWrittenWordForWord() throws Exception {
        Provenance written = provenance("intset", "--set", "a 'b'\n\"c\" \\ \t\u00e9\u2026", "", "--", "-x")
                .withSeed(SEED, Long.MIN_VALUE);
        ProvenanceFile.write(written, folder);
        Provenance read = ProvenanceFile.read(folder);
        assertThat(read.command()).isEqualTo(written.command());
        assertThat(read.seeds()).containsExactly(entry("--seed", "" + Long.MIN_VALUE));
        assertThat(read.started()).isEqualTo(written.started());
        assertThat(read.javaOptions()).containsExactly("-Xmx256m");
        assertThat(read.conditions()).isEqualTo(written.conditions());
    }

    @Test
    void theFileHasTheVersionsAndTheMachine() throws Exception {
        ProvenanceFile.write(provenance("intset"), folder);
        assertThat(ProvenanceFile.read(folder).conditions())
                .containsKeys("version", "commit", "java", "java_vm", "processor", "processors", "memory", "system")
                .containsKeys("architecture", "REMUS_JAVA_OPTS", "REMUS_SHM_DIR")
                .containsEntry("java", Runtime.version().toString());
        assertThat(Files.readString(file()))
                .contains("\"processors\" : " + Runtime.getRuntime().availableProcessors());
    }

    @ParameterizedTest
    @CsvSource({
        "0123456789abcdef0123456789abcdef01234567, 0123456789abcdef0123456789abcdef01234567",
        "0123456789abcdef0123456789abcdef01234567-modified, 0123456789abcdef0123456789abcdef01234567-modified",
        "$(rm -rf x), unknown",
    })
    void theCommitIsThatWhichTheLauncherPasses(String property, String commit) {
        System.setProperty(Software.COMMIT, property);
        try {
            Provenance provenance = provenance("intset");
            assertThat(provenance.conditions()).containsEntry("commit", commit);
            assertThat(provenance.isModified()).isEqualTo(commit.endsWith("-modified"));
        } finally {
            System.clearProperty(Software.COMMIT);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "7",
                "{} {",
                "{\"format\": 1}",
                "{\"format\": 2}",
                "\u0000\u0001",
            })
    void anotherTextInItsPlaceIsRefusedWithTheNameOfTheFile(String text) throws Exception {
        Files.writeString(file(), text);
        assertThatThrownBy(() -> ProvenanceFile.read(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file().toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            'command' is not a list                 | "command" : [ "intset" ]   | "command" : "intset"
            'command' is empty                      | "command" : [ "intset" ]   | "command" : [ ]
            'command' is not a text                 | "command" : [ "intset" ]   | "command" : [ "intset", [ "x" ] ]
            'command' is not a text                 | "command" : [ "intset" ]   | "command" : [ "a\\u0000b" ]
            'seeds' is not a list of options        | "seeds" : { }              | "seeds" : { "--seed" : "1; x" }
            'seeds' is not a list of options        | "seeds" : { }              | "seeds" : { "clean" : 1 }
            'started' is not a time                 | 2026-01-02T                | yesterday
            'environment' is not an object          | "environment" : {          | "environment" : 7, "x" : {
            """, quoteCharacter = '`')
    void aChangedFieldIsRefusedByName(String reason, String from, String to) throws Exception {
        ProvenanceFile.write(provenance("intset"), folder);
        String text = Files.readString(file());
        assertThat(text).contains(from);
        Files.writeString(file(), text.replace(from, to));
        assertThatThrownBy(() -> ProvenanceFile.read(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void aMissingFileAndAnEndlessOneAreRefused() throws Exception {
        assertThatThrownBy(() -> ProvenanceFile.read(folder)).isInstanceOf(NoSuchFileException.class);
        Files.writeString(file(), " ".repeat(2_000_000));
        assertThatThrownBy(() -> ProvenanceFile.read(folder)).hasMessageContaining("more than 1048576 bytes");
    }
}
