// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.readme.Readme;
import dev.remus.source.SourceTree;
import dev.remus.structures.RemoteMap;
import dev.remus.structures.RemoteQueue;
import dev.remus.structures.RemoteSet;
import dev.remus.tools.queue.QueueKind;
import dev.remus.tools.scenarios.NamedScenario;
import dev.remus.tools.scenarios.ScenarioCatalogue;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The documents match the programs: names and counts in them are correct. */
class DocumentsTest {
    private static final Commands COMMANDS = new Commands();

    /** Options of the JVM, and of programs of the tutorial. */
    private static final Set<String> OTHER_OPTIONS = Set.of(
            "--add-exports",
            "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED",
            "--add-modules",
            "--enable-native-access",
            "--sun-misc-unsafe-memory-access",
            "--growing",
            "--name",
            "--times");

    /** Scripts with options of their own. */
    private static final List<String> SCRIPTS =
            List.of("remus", ".ci/test.sh", ".ci/bare", "examples/rxe-vm/rxe-vm", "cloudlab/cl", "cloudlab/help.txt");

    static List<Document> documents() throws IOException {
        return Document.all();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void commandsAndOptionsThatADocumentUsesExist(Document document) {
        for (List<String> call : document.commands()) {
            String name = call.get(0);
            if (name.startsWith("--")) {
                assertThat(name).as("%s: %s", document.path(), call).isIn("--help", "--version");
                continue;
            }
            if (name.equals("COMMAND") || name.equals("N|all") || name.equals("...")) {
                continue;
            }
            assertThat(COMMANDS.names()).as("%s: %s", document.path(), call).contains(name);
            if (name.equals("bench") && call.size() > 1 && !call.get(1).startsWith("-")) {
                assertThat(COMMANDS.suites())
                        .as("%s: %s", document.path(), call)
                        .contains(call.get(1));
            }
            for (String word : call) {
                boolean isChecked = word.matches("--[a-z][a-z0-9-]*(=.*)?") && !word.startsWith("--help");
                if (isChecked && !Set.of("run", "rxe-vm").contains(name)) {
                    assertThat(COMMANDS.options(call))
                            .as("%s: %s", document.path(), call)
                            .contains(word.replaceFirst("=.*", ""));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("documents")
    void optionsThatADocumentNamesExist(Document document) throws IOException {
        Set<String> known = new TreeSet<>(COMMANDS.options());
        known.addAll(OTHER_OPTIONS);
        for (String script : SCRIPTS) {
            Pattern.compile("--[a-z][a-z-]+")
                    .matcher(Files.readString(Document.ROOT.resolve(script)))
                    .results()
                    .forEach(option -> known.add(option.group()));
        }
        assertThat(document.options()).as(document.path().toString()).allMatch(known::contains);
    }

    @ParameterizedTest
    @MethodSource("documents")
    void scenariosThatADocumentChecksExist(Document document) {
        List<String> known = Stream.concat(ScenarioCatalogue.ALL.stream(), ScenarioCatalogue.FLAWED.stream())
                .map(NamedScenario::name)
                .toList();
        for (List<String> call : document.commands()) {
            if (call.get(0).equals("check") && !call.contains("--mutants") && !call.contains("--progress")) {
                List<String> named = call.stream()
                        .skip(1)
                        .takeWhile(word -> !word.startsWith("-"))
                        .toList();
                assertThat(known).as("%s: %s", document.path(), call).containsAll(named);
            }
        }
        Matcher result =
                Pattern.compile("(?m)^([a-z-]+): [\\d,]+ schedules clean").matcher(document.text());
        while (result.find()) {
            assertThat(known).as("%s: %s", document.path(), result.group()).contains(result.group(1));
        }
    }

    /** Documents state no number of scenarios, or the current one. */
    @ParameterizedTest
    @MethodSource("documents")
    void aStatedNumberOfScenariosIsCorrect(Document document) {
        Pattern count = Pattern.compile("(\\d+) (?:scenarios\\b|in all: `\\./remus check)");
        String prose = document.prose().replace('\n', ' ');
        for (MatchResult match : count.matcher(prose).results().toList()) {
            assertThat(Integer.parseInt(match.group(1)))
                    .as("%s: %s", document.path(), match.group())
                    .isEqualTo(ScenarioCatalogue.ALL.size());
        }
    }

    @Test
    void theModulesInContributingAreThoseOfTheBuild() throws IOException {
        String pom = Files.readString(Document.ROOT.resolve("pom.xml"));
        List<String> modules = Pattern.compile("<module>([^<]*)</module>")
                .matcher(pom)
                .results()
                .map(match -> "`" + match.group(1) + "/`")
                .toList();
        Document page = Document.of(".github/CONTRIBUTING.md");
        assertThat(Document.table(page.section("## Where things are")).stream().map(row -> row.get(0)))
                .containsExactlyInAnyOrderElementsOf(modules);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {".github/CONTRIBUTING.md", "framework/README.md", "structures/README.md", "examples/README.md"})
    void theArtifactsThatAPageNamesAreThoseOfTheirFolders(String page) throws IOException {
        String text = Document.of(page).text();
        List<List<String>> rows = Document.table(text.substring(text.indexOf("| Maven artifact |")));
        assertThat(rows).isNotEmpty();
        for (List<String> row : rows) {
            Path module = Document.ROOT.resolve(row.get(0).replace("`", ""));
            assertThat(Files.readString(module.resolve("pom.xml")))
                    .contains("<artifactId>" + row.get(row.size() - 1).replaceAll("`|.*:", "") + "</artifactId>");
        }
    }

    @Test
    void thePageAboutTheFrameworkNamesAllItsPackagesAndNoOthers() throws IOException {
        String text = Document.of("framework/README.md").text();
        Set<String> named = Document.table(text.substring(text.indexOf("| package |"))).stream()
                .flatMap(row -> Stream.of(row.get(0).replaceAll("[` ]", "").split(",")))
                .map(name -> name.replaceFirst("dev\\.remus\\.", ""))
                .collect(Collectors.toSet());
        try (Stream<Path> packages = Files.list(Document.ROOT.resolve("framework/core/src/main/java/dev/remus"))) {
            assertThat(named)
                    .containsExactlyInAnyOrderElementsOf(
                            packages.map(path -> path.getFileName().toString()).toList());
        }
    }

    @Test
    void theReadmeAndThePageAboutThemNameAllStructuresAndQueues() throws Exception {
        Document page = Document.of("structures/README.md");
        namesAllIn("dev.remus.structures", Document.of("README.md").section("## Structures"));
        namesAllIn("dev.remus.structures", page.text());
        namesAllIn("dev.remus.structures.baseline", page.text());
        assertThat(Document.table(page.section("## Queues")).stream().map(row -> row.get(0)))
                .containsExactlyInAnyOrderElementsOf(Stream.of(QueueKind.values())
                        .map(kind -> "`" + kind + "`")
                        .toList());
    }

    @Test
    void theReadmeIsAFrontDoorOfAtMost150Lines() throws IOException {
        assertThat(Document.of("README.md").text().lines()).hasSizeLessThanOrEqualTo(150);
    }

    @Test
    void everyPageIsFoundFromTheReadme() throws IOException {
        Pattern link = Pattern.compile("\\]\\(([^)#:]+\\.md)(#[^)]*)?\\)");
        Set<Path> found = new LinkedHashSet<>(Set.of(Path.of("README.md")));
        List<Path> rest = new ArrayList<>(found);
        while (!rest.isEmpty()) {
            Document page = Document.of(rest.remove(0).toString());
            for (MatchResult match : link.matcher(page.text()).results().toList()) {
                Path target = page.path().resolveSibling(match.group(1)).normalize();
                if (found.add(target)) {
                    rest.add(target);
                }
            }
        }
        assertThat(found)
                .containsAll(Document.all().stream().map(Document::path).toList());
    }

    private static void namesAllIn(String packageName, String text) throws Exception {
        try (Stream<Path> files = Files.list(SourceTree.packageFolder(packageName))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                if (name.equals("package-info")) {
                    continue;
                }
                Class<?> type = Class.forName(packageName + "." + name);
                boolean isStructure = Stream.of(RemoteSet.class, RemoteMap.class, RemoteQueue.class)
                                .anyMatch(kind -> kind.isAssignableFrom(type))
                        && Modifier.isPublic(type.getModifiers())
                        && !type.isInterface()
                        && !Modifier.isAbstract(type.getModifiers());
                if (isStructure) {
                    assertThat(text).contains("`" + name + "`");
                }
            }
        }
    }

    @Test
    void theStackOnTheFrameworksPageIsTheOneInTheExamples() throws IOException {
        Path source = SourceTree.packageFolder("dev.remus.examples").resolve("RemoteStack.java");
        assertThat(Files.readString(source))
                .isEqualTo("// SPDX-License-Identifier: Apache-2.0\npackage dev.remus.examples;\n\n"
                        + Readme.read().structure());
    }

    @Test
    void theVersionIsThatOfTheBuild() throws IOException {
        Matcher version = Pattern.compile("<version>([^<]*)</version>")
                .matcher(Files.readString(Document.ROOT.resolve("pom.xml")));
        assertThat(version.find()).isTrue();
        String released = version.group(1).replace("-SNAPSHOT", "");
        assertThat(Document.of("framework/README.md").text())
                .contains("<artifactId>remus-framework</artifactId>\n    <version>" + version.group(1) + "</version>");
        assertThat(Document.of(".github/CHANGELOG.md").text()).contains("\n## " + released);
    }

    @ParameterizedTest
    @MethodSource("documents")
    void theRequiredJavaIsTheOneThatTheLauncherChecksAndTheBuildTargets(Document document) throws IOException {
        Matcher launcher = Pattern.compile("(?m)^readonly minimum_java=(\\d+)$")
                .matcher(Files.readString(Document.ROOT.resolve("remus")));
        assertThat(launcher.find()).isTrue();
        String needed = launcher.group(1);
        assertThat(Files.readString(Document.ROOT.resolve("pom.xml")))
                .contains("<maven.compiler.release>" + needed + "</maven.compiler.release>");
        Matcher java = Pattern.compile("(?:with|needs?|but|and) Java (\\d+) or later|a Java (\\d+) runtime")
                .matcher(document.prose().replace('\n', ' '));
        while (java.find()) {
            assertThat(java.group(1) == null ? java.group(2) : java.group(1))
                    .as("%s: %s", document.path(), java.group())
                    .isEqualTo(needed);
        }
    }

    @Test
    void theTutorialListsItsPages() throws IOException {
        try (Stream<Path> files = Files.list(Document.ROOT.resolve("tutorial"))) {
            List<String> pages = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("\\d+-.*\\.md"))
                    .sorted(Comparator.comparingInt(name -> Integer.parseInt(name.substring(0, name.indexOf('-')))))
                    .toList();
            Document tutorial = Document.of("tutorial/README.md");
            List<List<String>> table = Document.table(tutorial.text());
            assertThat(table).hasSameSizeAs(pages);
            for (int i = 0; i < pages.size(); i++) {
                String title = Files.readString(Document.ROOT.resolve("tutorial/" + pages.get(i)))
                        .lines()
                        .findFirst()
                        .orElseThrow()
                        .replaceFirst("# \\d+\\. ", "");
                assertThat(table.get(i).subList(0, 2))
                        .containsExactly(Integer.toString(i + 1), "[" + title + "](" + pages.get(i) + ")");
            }
        }
    }

    /** The tests of the tutorial compare page 1 with the program's output. */
    @Test
    void theReadmeShowsTheSameLinesOfIntsetAsThePageThatIsRun() throws IOException {
        assertThat(labels(Document.of("README.md").text()))
                .isNotEmpty()
                .isEqualTo(labels(Document.of("tutorial/1-getting-started.md").text()));
    }

    /** The labels before the figures in the first block that begins with a set's name. */
    private static List<String> labels(String text) {
        return text.substring(text.indexOf("set            dev.remus"))
                .lines()
                .takeWhile(line -> !line.equals("```"))
                .map(line -> line.replaceAll("[:\\d].*", "").strip())
                .toList();
    }

    @Test
    void thePageAboutClustersListsAllExperimentsAndCommands() throws IOException {
        Document page = Document.of("cloudlab/README.md");
        try (Stream<Path> files = Files.list(Document.ROOT.resolve("cloudlab/experiments"))) {
            assertThat(Document.table(page.section("## 5. Measure")).stream().map(row -> row.get(0)))
                    .containsExactlyInAnyOrderElementsOf(
                            files.map(file -> "`" + file.getFileName() + "`").toList());
        }
        String usage = Files.readString(Document.ROOT.resolve("cloudlab/help.txt"));
        List<String> commands = Pattern.compile("(?m)^  ([a-z][a-z-]+) ")
                .matcher(usage)
                .results()
                .map(match -> match.group(1))
                .toList();
        assertThat(Document.table(page.section("## Commands")).stream()
                        .map(row -> row.get(0).replaceAll("[`\\[].*?([a-z-]+).*", "$1")))
                .containsExactlyInAnyOrderElementsOf(commands);
    }
}
