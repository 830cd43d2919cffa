// SPDX-License-Identifier: Apache-2.0
package dev.remus.cloudlab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.launcher.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files and pages that come with the script, and its answers to mistakes in those of its users. */
@Tag("processes")
@Timeout(120)
@Tag("any-jdk")
class ShippedFilesTest {
    private static final Path APT = Shell.CLOUDLAB.resolve("clusters/apt.sh");

    @TempDir
    private Path folder;

    static List<Path> experiments() throws IOException {
        return list("experiments", ".sh");
    }

    static List<Path> clusters() throws IOException {
        return list("clusters", ".sh");
    }

    static List<Path> pages() throws IOException {
        return list("", ".md");
    }

    private static List<Path> list(String in, String ending) throws IOException {
        try (Stream<Path> files = Files.list(Shell.CLOUDLAB.resolve(in))) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        }
    }

    private Shell.Ended plan(Path cluster, Path experiment) throws Exception {
        return Shell.run(Shell.CL.toString(), cluster.toString(), "plan", experiment.toString());
    }

    private Path file(String... lines) throws IOException {
        return Files.write(Files.createTempFile(folder, "file", ".sh"), List.of(lines));
    }

    /** A node that is in no range is refused last of all, once all options are known to be there and to be valid. */
    @ParameterizedTest
    @MethodSource("experiments")
    void eachRunOfAnExperimentHasOptionsThatItsProgramTakes(Path experiment) throws Exception {
        Shell.Ended plan = plan(APT, experiment);
        assertThat(plan.status()).as(plan.output()).isZero();
        List<String> runs =
                plan.output().lines().filter(line -> !line.startsWith("cl: ")).toList();
        assertThat(runs).isNotEmpty();
        for (String run : runs) {
            List<String> words = new ArrayList<>(List.of(run.trim().split(" +")));
            words.addAll(List.of("--mn-port", "18515", "--node-id", "1023", "--out", "x", "--cluster", "c"));
            ByteArrayOutputStream errors = new ByteArrayOutputStream();
            int status;
            try (PrintStream to = new PrintStream(errors, true, StandardCharsets.UTF_8)) {
                status = Main.run(words.toArray(new String[0]), to, to);
            }
            String said = errors.toString(StandardCharsets.UTF_8);
            assertThat(status).isEqualTo(2);
            assertThat(said).as(run).contains("--node-id: got '1023'");
        }
    }

    @ParameterizedTest
    @MethodSource("clusters")
    void eachClusterFileIsOneThatTheScriptTakes(Path cluster) throws Exception {
        Path scontrol = Files.writeString(folder.resolve("scontrol"), "#!/bin/sh\necho a; echo b\n");
        assertThat(scontrol.toFile().setExecutable(true)).isTrue();
        Shell.Ended plan = Shell.run(
                "env",
                "SLURM_JOB_NODELIST=a,b",
                "USER=somebody",
                "PATH=" + folder + ":" + System.getenv("PATH"),
                Shell.CL.toString(),
                cluster.toString(),
                "plan",
                "experiments/intset.sh");
        assertThat(plan.status()).as(plan.output()).isZero();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void theTargetsOfAPagesLinksExist(Path page) throws Exception {
        Matcher link = Pattern.compile("\\]\\(([^)#:]+)\\)").matcher(Shell.read(page));
        while (link.find()) {
            assertThat(page.resolveSibling(link.group(1))).exists();
        }
    }

    @Test
    void thePageTellsOfEachCommandAndEachExperiment() throws Exception {
        String page = Shell.read(Shell.CLOUDLAB.resolve("README.md"));
        for (Path experiment : experiments()) {
            assertThat(page).contains("`" + experiment.getFileName() + "`");
        }
        Shell.Ended help = Shell.run(Shell.CL.toString(), "--help");
        Matcher command = Pattern.compile("(?m)^  ([a-z-]+) ").matcher(help.output());
        while (command.find()) {
            assertThat(page).contains(command.group(1));
        }
    }

    @Test
    void anExperimentThatNamesANodeIsRefused() throws Exception {
        Shell.Ended plan = plan(APT, file("exefile=intset", "experiment_args='--node-id 1'"));
        assertThat(plan.status()).isEqualTo(2);
        assertThat(plan.output()).contains("leave out --node-id");
    }

    @Test
    void aSweepWithoutValuesIsRefused() throws Exception {
        Shell.Ended plan = plan(APT, file("exefile=intset", "sweep=(cn-threads)"));
        assertThat(plan.status()).isEqualTo(2);
        assertThat(plan.output()).contains("the sweep \"cn-threads\" needs an option and values");
    }

    @Test
    void aSweptOptionReplacesThatOfTheExperiment() throws Exception {
        Shell.Ended plan =
                plan(APT, file("exefile=intset", "experiment_args='--a=1 --b 2 --c 3'", "sweep=('a 4' '--b 5 6')"));
        assertThat(plan.output()).contains("intset --c 3 --a 4 --b 5\nintset --c 3 --a 4 --b 6\n");
    }

    @Test
    void tooFewMachinesAreNamed() throws Exception {
        Shell.Ended run = Shell.run(Shell.CL.toString(), APT.toString(), "run", "experiments/intset-nodes.sh");
        assertThat(run.status()).isEqualTo(2);
        Path cluster = file("machines=(a b)");
        Shell.Ended few = Shell.run(Shell.CL.toString(), cluster.toString(), "run", "experiments/intset.sh");
        assertThat(few.status()).isEqualTo(2);
        assertThat(few.output()).contains("needs node 2, but", "only the machines of nodes 0 to 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "//", ".", "..", "./", "/.", "a/../b", "/tmp/..", "~", "~/x", "-rf", "a\nb"})
    void aFolderThatIsNoneOfItsOwnIsRefused(String directory) throws Exception {
        Path cluster = file("machines=(a b c)", "directory='" + directory + "'");
        for (String command : List.of("status", "stop", "install-deps")) {
            Shell.Ended ended = Shell.run(Shell.CL.toString(), cluster.toString(), command);
            assertThat(ended.status()).isEqualTo(2);
            assertThat(ended.output()).contains("cl: " + cluster + ": directory='" + directory + "' ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"remus", "/remus", "sp ace{id}", "it's", ".remus", "a..b", "$(touch x)"})
    void anyOtherFolderIsTaken(String directory) throws Exception {
        Path cluster = file("machines=(a b c)", "directory='" + directory.replace("'", "'\\''") + "'");
        assertThat(plan(cluster, Shell.CLOUDLAB.resolve("experiments/intset.sh"))
                        .status())
                .isZero();
        assertThat(Shell.CLOUDLAB.resolve("x")).doesNotExist();
    }

    @Test
    void twoNodesOnOneMachineNeedTwoFolders() throws Exception {
        Shell.Ended status = Shell.run(
                Shell.CL.toString(), file("machines=(a b a)", "directory=x").toString(), "status");
        assertThat(status.status()).isEqualTo(2);
        assertThat(status.output()).contains("directory='x' is the same for all nodes on a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "exefile='int set'",
                "exefile=intset repetitions=0",
                "exefile=intset repetitions=many",
                "exefile=intset time_limit=1m",
                "exefile=intset plots=('threads')",
                "exefile=intset plots=('threads ../x')",
                "exefile=intset sweep=('a 1' '--a 2')",
                "exefile=intset sweep=('$(x) 1')",
                "exefile=intset sweep=('a x/y x_y')"
            })
    void anExperimentThatCannotBeIsNamed(String line) throws Exception {
        Path experiment = file(line);
        Shell.Ended plan = plan(APT, experiment);
        assertThat(plan.status()).isEqualTo(2);
        assertThat(plan.output()).contains("cl: " + experiment + ": ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"my experiment.sh", "-rf.sh", ".sh", "..sh", "node-1.sh"})
    void aFileWhoseNameCannotBeThatOfAFolderIsRefused(String name) throws Exception {
        Path experiment = Files.writeString(folder.resolve(name), "exefile=intset\n");
        Shell.Ended plan = plan(APT, experiment);
        assertThat(plan.status()).isEqualTo(2);
        assertThat(plan.output()).contains("cl: " + experiment + ": ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "machines=()",
                "machines=(a b) hosts=(c)",
                "machines=(me@a)",
                "machines=('a b')",
                "machines=(a) hosts=(a,b)",
                "machines=(a) user=-x",
                "machines=(a) user=''",
                "machines=(a) domain='x y'",
                "machines=(a) java=''",
                "machines=(a) results=''",
                "machines=(a) grace=long",
                "machines=(a) debug_port=08",
                "machines=(a) debug_suspend=yes"
            })
    void aClusterFileThatCannotBeIsNamed(String line) throws Exception {
        Path cluster = file(line);
        Shell.Ended status = Shell.run(Shell.CL.toString(), cluster.toString(), "status");
        assertThat(status.status()).isEqualTo(2);
        assertThat(status.output()).contains(cluster.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"begin", "run run-debug", "", "--out"})
    void anUnknownCommandIsRefusedWithTheKnownOnes(String command) throws Exception {
        Shell.Ended ended = Shell.run(Shell.CL.toString(), APT.toString(), command, "x");
        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.output())
                .contains(
                        "cl: unknown command " + command + "; the commands are install-deps, doctor, build-run, run, ");
    }

    @Test
    void anUnknownWordIsRefusedWithTheNearOne() throws Exception {
        assertThat(Shell.run(Shell.CL.toString(), APT.toString(), "statsu").output())
                .isEqualTo("cl: unknown command statsu; did you mean status?\n");
        assertThat(Shell.run(Shell.CL.toString(), "--tmx").output())
                .isEqualTo("cl: unknown option --tmx; did you mean --tmux?\n");
    }

    @Test
    void theKnownCommandsAreThoseOfTheHelp() throws Exception {
        String known = Shell.run(Shell.CL.toString(), APT.toString(), "x").output();
        Matcher command = Pattern.compile("^ {2}([a-z]+(-[a-z]+)*) ", Pattern.MULTILINE)
                .matcher(Files.readString(Shell.CLOUDLAB.resolve("help.txt")));
        List<String> inHelp = command.results().map(found -> found.group(1)).toList();
        assertThat(known.strip()).endsWith("the commands are " + String.join(", ", inHelp));
    }
}
