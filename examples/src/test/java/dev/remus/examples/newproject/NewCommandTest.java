package dev.remus.examples.newproject;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.examples.readme.OutsideProject;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class NewCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private int run(String... args) {
        return NewCommand.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
    }

    @Test
    @Tag("processes")
    void theProjectBuildsOutsideTheTreeWithoutTheNetworkAndItsTestAndBenchmarkPass() throws Exception {
        OutsideProject project = new OutsideProject(folder);
        assertThat(run("my-structure", "--dir", project.path().toString())).isZero();
        assertThat(project.maven("-o", "test", "exec:java"))
                .anyMatch(line -> line.contains("operations per second with 4 threads"))
                .anyMatch(line -> line.matches("books: 880000 counted, 880000 added: balanced"));
        assertThat(project.path().resolve("target/surefire-reports/mystructure.MyStructureTest.txt"))
                .content()
                .contains("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0");
    }

    @Test
    void namesAreReplacedEverywhereAndVersionsAreThoseOfThisBuild() throws Exception {
        Path project = folder.resolve("p");
        assertThat(run("two-words", "--dir", project.toString())).isZero();
        assertThat(project.resolve("src/main/java/twowords/TwoWords.java")).exists();
        try (Stream<Path> files = Files.walk(project)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(file).content().doesNotContainPattern("@[A-Z]+@");
            }
        }
        String parent = Files.readString(Path.of("../pom.xml"));
        String pom = Files.readString(project.resolve("pom.xml"));
        Matcher plugin = Pattern.compile("<artifactId>([a-z-]+-plugin)</artifactId>\\s*<version>([^<]+)</version>")
                .matcher(pom);
        int plugins = 0;
        while (plugin.find()) {
            plugins++;
            assertThat(parent)
                    .containsPattern("<artifactId>" + plugin.group(1) + "</artifactId>\\s*<version>"
                            + Pattern.quote(plugin.group(2)));
        }
        assertThat(plugins).isEqualTo(4);
        Matcher junit = Pattern.compile("<artifactId>junit-jupiter</artifactId>\\s*<version>([^<]+)<")
                .matcher(pom);
        assertThat(junit.find()).isTrue();
        assertThat(parent).contains("<junit.version>" + junit.group(1) + "<");
    }

    @Test
    void whatIsThereAlreadyIsNeverOverwritten() throws Exception {
        Files.writeString(folder.resolve("precious"), "text");
        assertThat(run("name", "--dir", folder.toString())).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("is there already");
        assertThat(folder).isDirectoryContaining("glob:**precious");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void aNameThatCannotBeAPackageIsRefused() {
        for (String name : new String[] {"My", "1a", "a--b", "a b", ""}) {
            assertThat(run(name, "--dir", folder.resolve("x").toString()))
                    .as(name)
                    .isEqualTo(2);
        }
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("got 'My', needs one name");
    }
}
