// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.readme;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.readme.Readme;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A Maven project outside the tree, made from the framework's page, imports the framework. */
@Tag("processes")
@Tag("any-jdk")
@Timeout(600)
class ImportTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    private OutsideProject project;

    @BeforeEach
    void makeProject() throws IOException {
        project = new OutsideProject(folder);
    }

    private void write(String file, String text) throws IOException {
        Path path = project.path().resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    /** A POM with the plugin versions of this build, which are already downloaded. */
    private static String pom(String dependency) throws IOException {
        return """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>example</groupId>
                  <artifactId>example</artifactId>
                  <version>1</version>
                  <properties>
                    <maven.compiler.release>17</maven.compiler.release>
                    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
                  </properties>
                  <dependencies>
                %s
                  </dependencies>
                  <build>
                    <plugins>
                %s%s%s%s
                    </plugins>
                  </build>
                </project>
                """.formatted(
                        dependency,
                        plugin("maven-resources-plugin"),
                        plugin("maven-compiler-plugin"),
                        plugin("maven-surefire-plugin"),
                        plugin("maven-dependency-plugin"));
    }

    private static String plugin(String artifact) throws IOException {
        Matcher version = Pattern.compile("<artifactId>" + artifact + "</artifactId>\\s*<version>([^<]+)</version>")
                .matcher(Files.readString(ROOT.resolve("pom.xml")));
        assertThat(version.find()).as(artifact).isTrue();
        return "<plugin><artifactId>" + artifact + "</artifactId><version>" + version.group(1) + "</version></plugin>";
    }

    /**
     * One project covers both pages and the test on a cluster, because Maven starts slowly. Test dependencies must not
     * reach the program.
     */
    @Test
    void aProjectMadeFromThePageBuildsAndTheSimulatorPagesTestFindsTheMistakeInItsCounter() throws Exception {
        Readme page = Readme.simulatorPage();
        assertThat(page.dependency()).contains("<scope>test</scope>");
        write("pom.xml", pom(Readme.read().dependency() + page.dependency()));
        write("src/main/java/RemoteStack.java", Readme.read().structure());
        write("src/test/java/RemoteCounterTest.java", page.structure());
        write("src/test/java/RemoteStackClusterTest.java", Readme.read().clusterTest());
        assertThat(project.maven(
                        "test",
                        "dependency:build-classpath",
                        "-Dmdep.outputFile=class-path",
                        "-DincludeScope=runtime",
                        "-Dremus.seed=9",
                        "-Dmaven.test.failure.ignore=true"))
                .anyMatch(line -> line.contains("with seed 9; -Dremus.seed=9 runs it alone"))
                .anyMatch(line -> line.contains("not linearizable: no order of the operations explains"));

        assertThat(project.path().resolve("target/surefire-reports/RemoteStackClusterTest.txt"))
                .content(UTF_8)
                .contains("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0");

        String classPath = project.path().resolve("target/classes")
                + File.pathSeparator
                + Files.readString(project.path().resolve("class-path"));
        assertThat(jars(classPath))
                .noneMatch(jar -> jar.startsWith("junit"))
                .as("bindings of SLF4J")
                .noneMatch(jar -> jar.matches("(slf4j-(?!api)|logback|log4j|jul-to|jcl-over).*"));
        assertThat(jars(System.getProperty("java.class.path")))
                .as("the class path of the framework's tests")
                .containsAll(jars(classPath));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(Readme.read().quietFlags());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath, "RemoteStack"));
        Readme.assertIsOutputOfStructure(project.run(command));
    }

    private static Set<String> jars(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator))
                .map(entry -> Path.of(entry).getFileName().toString())
                .filter(name -> name.endsWith(".jar"))
                .collect(Collectors.toSet());
    }
}
