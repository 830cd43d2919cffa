package dev.remus.examples.readme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.remus.readme.Readme;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Maven project outside the tree, made from what the README says, imports the framework.
 *
 * <p>The framework is installed into a repository of its own in front of the one that the build uses, where everything
 * else is already. So this changes nothing of the user's, and does not need the network.
 */
@Tag("processes")
@Timeout(180)
class ImportTest {
    private static final String VERSION = "0.1.0";
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path JAR = ROOT.resolve("framework/target/remus-framework-" + VERSION + ".jar");

    /** Set by Maven for its tests. */
    private static final String REPOSITORY = System.getProperty("localRepository");

    @TempDir
    private Path folder;

    private Path project;
    private Path installed;

    @BeforeEach
    void makeProject() throws IOException {
        assumeThat(REPOSITORY).as("the repository of the Maven that runs this").isNotNull();
        assumeThat(JAR).as("a packaged framework").exists();
        installed = folder.resolve("repository");
        install("remus", ROOT.resolve("pom.xml"), ".pom");
        install("remus-framework", ROOT.resolve("framework/pom.xml"), ".pom");
        install("remus-framework", JAR, ".jar");

        project = folder.resolve("project");
    }

    private void write(String file, String text) throws IOException {
        Path path = project.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private void install(String artifact, Path file, String extension) throws IOException {
        Path target = Files.createDirectories(
                installed.resolve("dev/remus").resolve(artifact).resolve(VERSION));
        Files.copy(file, target.resolve(artifact + "-" + VERSION + extension));
    }

    /** With the versions of plugins that this build has already got. */
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

    @Test
    void aProjectMadeFromTheReadmeBuildsWithMavenAndRunsWithTheFlagsNamedThere() throws Exception {
        write("pom.xml", pom(Readme.read().dependency()));
        write("src/main/java/RemoteStack.java", Readme.read().structure());
        maven("compile", "dependency:build-classpath", "-Dmdep.outputFile=class-path");

        String classPath = project.resolve("target/classes")
                + File.pathSeparator
                + Files.readString(project.resolve("class-path"));
        assertThat(jars(System.getProperty("java.class.path")))
                .as("what the framework was tested with")
                .containsAll(jars(classPath));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(Readme.read().quietFlags());
        command.addAll(List.of("-cp", classPath, "RemoteStack"));
        Readme.assertIsOutputOfStructure(run(command));
    }

    @Test
    void aProjectMadeFromThePageAboutTheSimulatorFindsTheMistakeInItsCounter() throws Exception {
        Readme page = Readme.simulatorPage();
        write("pom.xml", pom(Readme.read().dependency() + page.dependency()));
        write("src/test/java/RemoteCounterTest.java", page.structure());
        assertThat(maven("test", "-Dremus.seed=7", "-Dmaven.test.failure.ignore=true"))
                .anyMatch(line -> line.contains("with seed 7; -Dremus.seed=7 runs it alone"))
                .anyMatch(line -> line.contains("not linearizable: no order of the operations explains"));
    }

    private List<String> maven(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                ROOT.resolve("mvnw").toString(),
                "-q",
                "-B",
                "-Dmaven.repo.local=" + installed,
                "-Dmaven.repo.local.tail=" + REPOSITORY));
        command.addAll(List.of(arguments));
        return run(command);
    }

    private static Set<String> jars(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator))
                .map(entry -> Path.of(entry).getFileName().toString())
                .filter(name -> name.endsWith(".jar"))
                .collect(Collectors.toSet());
    }

    /** Runs a command in the project's folder, and returns what it prints. */
    private List<String> run(List<String> command) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        // What the Maven that runs this says about itself.
        builder.environment().keySet().removeAll(List.of("MAVEN_PROJECTBASEDIR", "MAVEN_CMD_LINE_ARGS"));
        Process process = builder.start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(String.join("\n", lines)).isZero();
        return lines;
    }
}
