// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.newproject;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.launcher.readme.OutsideProject;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("any-jdk")
@Timeout(600)
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

    @ParameterizedTest
    @EnumSource(TemplateKind.class)
    @Tag("processes")
    void theProjectBuildsOutsideTheTreeWithoutTheNetworkAndItsTestsAndBenchmarkPass(TemplateKind kind)
            throws Exception {
        OutsideProject project = new OutsideProject(folder);
        assertThat(run(
                        "my-structure",
                        "--template",
                        kind.toString(),
                        "--dir",
                        project.path().toString()))
                .isZero();
        assertThat(project.maven("-o", "test", "exec:java", "-Dremus.schedules=100"))
                .anyMatch(line -> line.contains("operations per second with 4 threads"))
                .anyMatch(line -> line.matches("books: 0 left, 0 expected: balanced"));
        assertThat(project.path().resolve("target/surefire-reports/mystructure.MyStructureTest.txt"))
                .content(UTF_8)
                .contains(
                        "Tests run: " + (kind == TemplateKind.QUEUE ? 5 : 4) + ", Failures: 0, Errors: 0, Skipped: 0");
        assertThat(project.path().resolve("target/surefire-reports/TEST-mystructure.MyStructureTest.xml"))
                .as("the user's own options reach the JVM of the tests")
                .content(UTF_8)
                .contains("name=\"of.the.user\" value=\"seen\"");
    }

    @Test
    void theTestOfTheStackFindsABA() throws Exception {
        OutsideProject project = new OutsideProject(folder);
        assertThat(run("my-structure", "--dir", project.path().toString())).isZero();
        Path stack = project.path().resolve("src/main/java/mystructure/MyStructure.java");
        String withoutTag = Files.readString(stack)
                .replace("TaggedRef", "RemoteRef")
                .replace("taggedRefField", "refField")
                .replace("This.top.target(top, ct)", "top");
        Files.writeString(stack, withoutTag);
        // Within the template's own 500 schedules, it is found 999 times in 1000; more make this test deterministic.
        assertThat(project.maven("-o", "test", "-Dremus.schedules=3000", "-Dmaven.test.failure.ignore=true"))
                .anyMatch(line -> line.contains("itIsLinearizableInEverySchedule"))
                .anyMatch(line -> line.contains("fails, with seed")); // a wrong answer, or a node that is freed twice
    }

    /** The mistakes that the READMEs suggest, as changes of the templates. */
    private static Stream<Arguments> suggestedMistakes() {
        return Stream.of(
                Arguments.of(
                        TemplateKind.SET,
                        "(?m)^( *fresh\\.storeStaged\\(ct\\);.*\\R)( *link\\(fresh\\.pointer\\(\\), ct\\);\\R)",
                        "$2$1"),
                Arguments.of(
                        TemplateKind.QUEUE,
                        "(?s) try \\{(\\s*node\\.at\\(This\\.last\\.load\\(ct\\)\\);)(.*?)"
                                + "\\} finally \\{\\s*(lastLock\\.release\\(ct\\);)\\s*\\}",
                        "$1$3$2"),
                Arguments.of(
                        TemplateKind.MAP,
                        "long found = bucket\\.keys\\.compareAndExchange\\(cell, NONE, key, ct\\);",
                        "bucket.keys.store(cell, key, ct); long found = NONE;"));
    }

    @ParameterizedTest
    @MethodSource("suggestedMistakes")
    void theTestFindsTheMistakeThatTheReadmeSuggests(TemplateKind kind, String code, String mistaken) throws Exception {
        assertFinds("itIsLinearizableInEverySchedule", kind, code, mistaken);
    }

    @Test
    void theTestOfTheQueueFindsAWriteThatIsNotRepeatedWhenItsLaneBreaks() throws Exception {
        assertFinds(
                "aThreadWhoseLaneBreaksLosesAndRepeatsNothing",
                TemplateKind.QUEUE,
                "link\\(This\\.last, ct\\);",
                "This.last.store(fresh, ct);");
    }

    private void assertFinds(String test, TemplateKind kind, String code, String mistaken) throws Exception {
        OutsideProject project = new OutsideProject(folder);
        assertThat(run(
                        "my-structure",
                        "--template",
                        kind.toString(),
                        "--dir",
                        project.path().toString()))
                .isZero();
        Path structure = project.path().resolve("src/main/java/mystructure/MyStructure.java");
        String right = Files.readString(structure);
        String wrong = right.replaceFirst(code, mistaken);
        assertThat(wrong).isNotEqualTo(right);
        Files.writeString(structure, wrong);
        String[] arguments = {
            "-o", "test", "-Dtest=MyStructureTest#" + test, "-Dremus.firstSeed=1", "-Dmaven.test.failure.ignore=true"
        };
        assertThat(project.maven(arguments))
                .anyMatch(line -> line.contains(test))
                .anyMatch(line -> line.contains("-Dremus.seed="));
    }

    @Test
    void namesAreReplacedEverywhereAndVersionsAreThoseOfThisBuild() throws Exception {
        Path project = folder.resolve("p");
        assertThat(run("two-words", "--dir", project.toString())).isZero();
        assertThat(project.resolve("src/main/java/twowords/TwoWords.java")).exists();
        try (Stream<Path> files = Files.walk(project)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(file).content(UTF_8).doesNotContainPattern("@[A-Z]+@");
            }
        }
        String parent = Files.readString(Path.of("../../pom.xml"));
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
    void existingFilesAreNeverOverwritten() throws Exception {
        Files.writeString(folder.resolve("precious"), "text");
        assertThat(run("name", "--dir", folder.toString())).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("already exists");
        assertThat(folder).isDirectoryContaining("glob:**precious");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).hasSize(1);
        }
    }

    private String complaint() {
        return err.toString(StandardCharsets.UTF_8).lines().reduce("", (before, line) -> line);
    }

    @Test
    void anInvalidNameIsRejected() {
        for (String name : new String[] {"My", "1a", "a--b", "a b", ""}) {
            assertThat(run(name, "--dir", folder.resolve("x").toString()))
                    .as(name)
                    .isEqualTo(2);
            assertThat(complaint()).contains("got '" + name + "', needs one name");
        }
        assertThat(run()).isEqualTo(2);
        assertThat(folder.resolve("x")).doesNotExist();
    }

    /** The reserved words of the running Java that are valid project names otherwise. */
    private static Stream<String> reservedWords() {
        return Stream.of(
                        "abstract assert boolean break byte case catch char class const continue default do double else enum"
                                + " extends final finally float for goto if implements import instanceof int interface long"
                                + " native new package private protected public return short static strictfp super switch"
                                + " synchronized this throw throws transient try void volatile while true false null")
                .flatMap(words -> Stream.of(words.split(" ")));
    }

    @ParameterizedTest
    @MethodSource("reservedWords")
    void aReservedWordOfJavaIsRejectedWithAValidSuggestion(String word) throws Exception {
        Path project = folder.resolve("x");
        assertThat(run(word, "--dir", project.toString())).isEqualTo(2);
        assertThat(complaint()).contains("got '" + word + "'").endsWith("; try my-" + word);
        assertThat(project).doesNotExist();
        assertThat(run("a", "--group", "org." + word, "--dir", project.toString()))
                .isEqualTo(2);
        assertThat(complaint()).contains("--group: got 'org." + word + "', needs a Java package");
        assertThat(run("my-" + word, "--dir", project.toString())).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "string",
                "record",
                "module",
                "object",
                "thread",
                "schedule",
                "recorder",
                "operation",
                "node",
                "shared",
                "specification",
                "java",
                "simulation",
                "rdma-ptr",
                "step"
            })
    void aNameThatWouldHideAnotherClassIsRejected(String name) {
        assertThat(run(name, "--dir", folder.resolve("x").toString())).isEqualTo(2);
        assertThat(complaint()).contains("got '" + name + "'").endsWith("; try my-" + name);
    }

    @Test
    void thePackageCanBeChosen() throws Exception {
        Path project = folder.resolve("p");
        assertThat(run("a", "--group", "org.example", "--package", "com.other.a", "--dir", project.toString()))
                .isZero();
        assertThat(project.resolve("src/main/java/com/other/a/A.java")).exists();
        assertThat(project.resolve("pom.xml")).content(UTF_8).contains("<groupId>org.example</groupId>");
        assertThat(run("a", "--package", "com.new", "--dir", folder.resolve("x").toString()))
                .isEqualTo(2);
        assertThat(complaint()).contains("--package: got 'com.new', needs a Java package");
    }

    @Test
    void anUnknownTemplateIsRejectedWithTheOthers() {
        assertThat(run("a", "--template", "heap", "--dir", folder.resolve("x").toString()))
                .isEqualTo(2);
        assertThat(complaint()).contains("--template: got 'heap', needs one of stack, set, queue, map");
    }

    @ParameterizedTest
    @EnumSource(TemplateKind.class)
    void everyTemplateCompilesHasShortLinesAndEndsWithWhatToChangeNext(TemplateKind kind) throws Exception {
        Path project = folder.resolve("p");
        assertThat(run("a", "--template", kind.toString(), "--dir", project.toString()))
                .isZero();
        assertThat(compile(project)).isEmpty();
        assertThat(project.resolve("README.md")).content(UTF_8).contains("## What to change next");
        try (Stream<Path> files = Files.walk(project.resolve("src"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readAllLines(file)).allMatch(line -> line.length() <= 120);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "x1", "var", "yield", "sealed", "queue", "stack", "set", "main", "value", "memory"})
    void aProjectWithAnyOtherNameCompiles(String name) throws Exception {
        Path project = folder.resolve("with blank");
        assertThat(run(name, "--dir", project.toString(), "--group", "org.example"))
                .isZero();
        assertThat(compile(project)).isEmpty();
        assertThat(project.resolve("src/main/java/org/example/" + name)).isDirectory();
        assertThat(project.resolve("pom.xml")).content(UTF_8).contains("<groupId>org.example</groupId>");
    }

    /** Compiles all sources of a project, and returns the compiler's errors. */
    private String compile(Path project) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "-proc:none",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                folder.resolve("compiled").toString()));
        try (Stream<Path> files = Files.walk(project.resolve("src"))) {
            files.filter(file -> file.toString().endsWith(".java"))
                    .map(Path::toString)
                    .forEach(command::add);
        }
        ByteArrayOutputStream complaints = new ByteArrayOutputStream();
        ToolProvider.getSystemJavaCompiler().run(null, complaints, complaints, command.toArray(String[]::new));
        return complaints.toString(StandardCharsets.UTF_8);
    }

    @Test
    void theProjectHasTheWrapperOfMavenAndIgnoresWhatIsBuilt() throws Exception {
        Path project = folder.resolve("p");
        assertThat(run("two-words", "--dir", project.toString())).isZero();
        assertThat(project.resolve("mvnw")).isExecutable().hasSameTextualContentAs(Path.of("../../mvnw"));
        assertThat(project.resolve("mvnw.cmd")).hasSameTextualContentAs(Path.of("../../mvnw.cmd"));
        Path wrapper = Path.of(".mvn/wrapper/maven-wrapper.properties");
        assertThat(project.resolve(wrapper))
                .hasSameTextualContentAs(Path.of("../..").resolve(wrapper));
        assertThat(project.resolve(".gitignore")).content(UTF_8).contains("target/");
    }

    @Test
    void theLastLinesNameFoldersInWhichTheirCommandsAre() throws Exception {
        Path project = folder.resolve("my own");
        assertThat(run("two-words", "--dir", project.toString())).isZero();
        Matcher command =
                Pattern.compile("cd (\\S+|'[^']+') && (\\./mvnw)").matcher(out.toString(StandardCharsets.UTF_8));
        List<Path> folders = new ArrayList<>();
        while (command.find()) {
            folders.add(Path.of(command.group(1).replace("'", "")));
        }
        assertThat(folders).containsExactly(Path.of("../..").toAbsolutePath().normalize(), project);
        assertThat(folders)
                .allSatisfy(folder -> assertThat(folder.resolve("mvnw")).isExecutable());
    }
}
