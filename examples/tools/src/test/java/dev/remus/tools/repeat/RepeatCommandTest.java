// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.repeat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.cluster.RunRecord;
import dev.remus.cli.progress.ProgressLog;
import dev.remus.options.OptionSpec;
import dev.remus.options.UsageException;
import dev.remus.tools.queue.QueueCommand;
import dev.remus.tools.results.Provenance;
import dev.remus.tools.results.ProvenanceFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
@Tag("any-jdk")
class RepeatCommandTest {
    private static final List<String> MEASURING = List.of("intset", "queue", "bench");
    private static final OptionSpec<Long> SEED =
            OptionSpec.integer("--seed", Long.MIN_VALUE, Long.MAX_VALUE, "The seed");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /** The command lines that were run. */
    private final List<List<String>> ran = new ArrayList<>();

    @TempDir
    private Path folder;

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private int repeat(RepeatCommand.Commands commands, String... args) {
        return new RepeatCommand(MEASURING, commands, stream(out), stream(err)).run(args);
    }

    private int repeat(String... args) {
        return repeat(
                (words, to, errors) -> {
                    ran.add(List.of(words));
                    return 7;
                },
                args);
    }

    private Path results(String name, String... command) throws IOException {
        Path results = Files.createDirectories(folder.resolve(name));
        ProvenanceFile.write(
                Provenance.of(new RunRecord(Instant.now(), List.of(command), List.of(), new ProgressLog()))
                        .withSeed(SEED, 42),
                results);
        return results;
    }

    private String newResults() {
        return "--out=" + folder.resolve("new");
    }

    private static int queue(String[] words, PrintStream to, PrintStream errors) {
        assertThat(words[0]).isEqualTo("queue");
        return QueueCommand.run(
                RepeatCommandTest.class,
                to,
                errors,
                List.of(words).subList(1, words.length).toArray(String[]::new));
    }

    private static Path only(Path parent) throws IOException {
        try (Stream<Path> folders = Files.list(parent)) {
            return folders.reduce((one, other) -> {
                        throw new AssertionError(one + " and " + other);
                    })
                    .orElseThrow();
        }
    }

    @Test
    void aRepeatedRunInTheSimulatorHasTheSameFigures() throws Exception {
        String[] words = {
            "queue",
            "--fabric",
            "sim",
            "--sweep",
            "2,4",
            "--queues",
            "nd,bc",
            "--num-ops",
            "20",
            "--seed",
            "9",
            "--out",
            folder.resolve("then in blanks").toString()
        };
        assertThat(queue(words, stream(out), stream(err))).as(err()).isZero();
        Path then = only(folder.resolve("then in blanks"));
        out.reset();
        assertThat(repeat(RepeatCommandTest::queue, then.toString(), newResults()))
                .as(err())
                .isZero();
        Path now = only(only(folder.resolve("new")));
        assertThat(Files.readString(now.resolve("sweep.md")).lines().skip(1))
                .containsExactlyElementsOf(Files.readString(then.resolve("sweep.md"))
                        .lines()
                        .skip(1)
                        .toList());
        assertThat(out().lines().filter(line -> line.contains("  throughput  ")))
                .hasSize(4)
                .allMatch(line -> line.endsWith("  1.000"));
        assertThat(out()).contains("then  " + then, "now   " + now, "nd-4");
    }

    @Test
    void theSeedThatTheClockChoseIsUsedAgain() throws Exception {
        assertThat(repeat(results("r", "queue", "--num-ops", "5", "--", "rest").toString(), newResults()))
                .isEqualTo(7);
        assertThat(ran).hasSize(1);
        assertThat(ran.get(0).subList(0, 2)).containsExactly("queue", "--seed=42");
        assertThat(ran.get(0).get(2)).startsWith("--out=" + folder.resolve("new"));
        assertThat(ran.get(0).subList(3, 7)).containsExactly("--num-ops", "5", "--", "rest");
    }

    @Test
    void theRecordedFolderForResultsIsReplacedAndAGivenSeedIsKept() throws Exception {
        repeat(
                results("r", "bench", "sim", "--out", "/elsewhere", "--seed", "3", "--", "--out=x")
                        .toString(),
                newResults());
        assertThat(ran.get(0))
                .startsWith("bench", "sim")
                .endsWith("--seed", "3", "--", "--out=x")
                .hasSize(7);
        assertThat(ran.get(0).get(2)).startsWith("--out=" + folder.resolve("new"));
    }

    @Test
    void theStatusIsThatOfTheCommandAndNoEmptyFolderIsLeft() throws Exception {
        assertThat(repeat(results("r", "queue").toString(), newResults())).isEqualTo(7);
        assertThat(folder.resolve("new")).isEmptyDirectory();
    }

    @Test
    void aDryRunPrintsTheCommandAndRunsNothing() throws Exception {
        assertThat(repeat(results("r", "queue", "--num-ops", "5").toString(), "--dry-run", "--out=a b"))
                .isZero();
        assertThat(out()).isEqualTo("./remus queue --seed=42 '--out=a b' --num-ops 5\n");
        assertThat(ran).isEmpty();
        assertThat(Path.of("a b")).doesNotExist();
    }

    @Test
    void wordsWithLineBreaksAndQuotesArePassedExactlyAndPrintedInOneLine() throws Exception {
        String odd = "a\nb'; rm -rf \"$HOME\" `id` \u001b[2J";
        assertThat(repeat(results("with blanks 'x'", "queue", "--cluster", odd).toString(), newResults()))
                .isEqualTo(7);
        assertThat(ran.get(0)).contains(odd);
        assertThat(out()).hasLineCount(1).contains("$'a\\nb\\'; rm ", "\\u001b[2J'");
    }

    @Test
    void everyConditionThatDiffersIsNamed() throws Exception {
        Path results = results("r", "queue");
        Path file = results.resolve(ProvenanceFile.NAME);
        Files.writeString(
                file,
                Files.readString(file)
                        .replaceFirst("\"java\" : \"[^\"]*\"", "\"java\" : \"16\\\\u001b\"")
                        .replaceFirst("\"processors\" : [0-9]+", "\"processors\" : 1000")
                        .replaceFirst("\"commit\" : \"[^\"]*\"", "\"commit\" : \"0123abc-modified\""));
        assertThat(repeat(results.toString(), "--dry-run")).isZero();
        assertThat(err())
                .contains("java differs: then 16?, now " + Runtime.version())
                .contains("processors differs: then 1000, now ")
                .contains("commit differs: then 0123abc-modified, now ")
                .contains("the sources then had changes that are not in the commit")
                .doesNotContain("memory");
    }

    @Test
    void codeThatTheFolderNamesIsPointedOut() throws Exception {
        repeat(
                results("r", "intset", "--set", "my.Set", "--class-path", "a.jar")
                        .toString(),
                newResults());
        assertThat(err()).contains("the command runs code that the folder names: --class-path a.jar");
    }

    @ParameterizedTest
    @ValueSource(strings = {"clean", "test", "run", "repeat", "torture", "/bin/sh", "queue; clean", "", "--help"})
    void aCommandThatDoesNotMeasureIsRefused(String command) throws Exception {
        assertThat(repeat(results("r", command, "x").toString())).isEqualTo(UsageException.EXIT_STATUS);
        assertThat(err()).contains("but only commands that measure are repeated: intset, queue, bench");
        assertThat(ran).isEmpty();
    }

    @Test
    void aFolderThatIsNoneOrIsDamagedIsRefused() throws Exception {
        Path none = folder.resolve("none");
        Path empty = Files.createDirectory(folder.resolve("empty"));
        Path old = Files.createDirectory(folder.resolve("old"));
        Files.writeString(old.resolve("metrics.json"), "{}");
        Path damaged = results("damaged", "queue");
        Files.writeString(damaged.resolve(ProvenanceFile.NAME), "{\"format\": 1, \"command\": [\"queue");
        Path part = Files.createDirectories(results("sweep", "queue").resolve("nd-2"));
        for (String[] args : new String[][] {
            {},
            {none.toString()},
            {"\0"},
            {empty.toString()},
            {old.toString()},
            {damaged.toString()},
            {part.toString()},
            {empty.toString(), empty.toString()}
        }) {
            assertThat(repeat(args)).isEqualTo(UsageException.EXIT_STATUS);
        }
        assertThat(err())
                .contains("needs one folder of results")
                .contains("there is no folder " + none)
                .contains(empty + " is not a folder of results: it has no provenance.json")
                .contains(old + " has no provenance.json: an earlier version of Remus made it")
                .contains(damaged.resolve(ProvenanceFile.NAME) + " is damaged: ")
                .contains(part + " is a part of a measurement; to repeat that: ./remus repeat ");
        assertThat(ran).isEmpty();
    }

    @Test
    void forARunOnSeveralMachinesTheCommandOfTheScriptIsPrinted() throws Exception {
        Path node = results("cl/x=1/node-1/intset-1", "intset", "--node-id", "1");
        Path run = folder.resolve("cl/x=1");
        assertThat(repeat(node.toString())).isEqualTo(UsageException.EXIT_STATUS);
        assertThat(err())
                .contains("of one node of several; to repeat the run, start each node again with its own command");
        for (String file : List.of("cluster.sh", "experiment.sh", "arguments.txt")) {
            Files.writeString(run.resolve(file), "");
        }
        repeat(node.toString());
        assertThat(err()).contains("cloudlab/cl " + run + "/cluster.sh build-run " + run + "/experiment.sh");
        for (String file : List.of("cluster.sh", "experiment.sh")) {
            Files.writeString(folder.resolve("cl").resolve(file), "");
        }
        String sweep = "cloudlab/cl " + folder + "/cl/cluster.sh sweep " + folder + "/cl/experiment.sh";
        for (Path each : List.of(node, run, run.resolve("node-1"), folder.resolve("cl"))) {
            err.reset();
            assertThat(repeat(each.toString())).isEqualTo(UsageException.EXIT_STATUS);
            assertThat(err()).contains(sweep);
        }
    }
}
