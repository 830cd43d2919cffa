// SPDX-License-Identifier: Apache-2.0
package dev.remus.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("processes")
@Timeout(120)
class ClassArchiveTest {
    /** The program whose classes are archived. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) {
            System.out.println("ran");
        }
    }

    private static final String FILE = Program.class.getName().replace('.', '/') + ".class";

    @TempDir
    private Path folder;

    private Path classes;

    @BeforeEach
    void copyTheProgram() throws Exception {
        classes = folder.resolve("classes");
        Files.createDirectories(classes.resolve(FILE).getParent());
        try (var from = Program.class.getClassLoader().getResourceAsStream(FILE)) {
            Files.copy(from, classes.resolve(FILE));
        }
    }

    private ClassArchive archive(String program) {
        return new ClassArchive(folder.resolve("archive"), classes.toString(), List.of(program));
    }

    private FileTime made() throws Exception {
        return Files.getLastModifiedTime(folder.resolve("archive/key"));
    }

    private String run(ClassArchive archive) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-Xlog:class+load"));
        command.addAll(archive.options());
        command.add(Program.class.getName());
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(output);
    }

    @Test
    void classesComeFromAnArchiveThatIsMadeAgainWhenOneOfThemHasChanged() throws Exception {
        String said = run(archive(Program.class.getName()));
        assertThat(said).contains("ran").doesNotContain("[warning]");
        assertThat(said.lines())
                .anyMatch(line ->
                        line.contains(Program.class.getName() + " source: ") && line.contains("shared objects file"));
        FileTime first = made();
        archive(Program.class.getName());
        assertThat(made()).as("nothing has changed").isEqualTo(first);
        FileTime later = FileTime.from(
                Files.getLastModifiedTime(classes.resolve(FILE)).toInstant().plus(Duration.ofSeconds(5)));
        Files.setLastModifiedTime(classes.resolve(FILE), later);
        assertThat(run(archive(Program.class.getName()))).contains("ran");
        assertThat(made()).isGreaterThan(first);
    }

    @Test
    void whereTheArchiveCannotBeMadeTheClassPathIsAsItWas() throws Exception {
        ClassArchive none = archive("there.is.no.such.Program");
        assertThat(none.options()).containsExactly("-cp", classes.toString());
        assertThat(run(none)).contains("ran");
        Files.writeString(folder.resolve("file"), "");
        assertThat(new ClassArchive(folder.resolve("file"), classes.toString(), List.of(Program.class.getName()))
                        .options())
                .containsExactly("-cp", classes.toString());
    }
}
