// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Version;
import dev.remus.node.MemoryNode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line as a whole. Some commands behave otherwise where a program is missing, as on a bare machine. */
@Tag("machine")
@Timeout(120)
class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return Main.run(
                args,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void helpListsTheCommands() {
        assertThat(run("--help")).isZero();
        assertThat(out()).contains("intset", "hello", "shared-object", "bench", "torture");
        assertThat(err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"version", "--version", "-V"})
    void theVersionNamesSoftwareCommitFormatsAndJava(String command) {
        assertThat(run(command)).isZero();
        Version version = Version.PRESENT;
        assertThat(out())
                .matches("Remus for Java " + Pattern.quote(version.software())
                        + "\ncommit {4}([0-9a-f]{7,64}(-modified)?|unknown)"
                        + "\nprotocol {2}" + version.protocol()
                        + "\nlayout {4}" + version.layout()
                        + "\nJava {6}" + Pattern.quote(Runtime.version().toString()) + ", .+\n");
        assertThat(err()).isEmpty();
    }

    @Test
    void theVersionOfTheSoftwareIsThatOfTheBuild() throws Exception {
        assertThat(Files.readString(Path.of("../../pom.xml")))
                .contains("<artifactId>remus</artifactId>\n  <version>" + Version.PRESENT.software() + "</version>");
    }

    @ParameterizedTest
    @ValueSource(strings = {"intset", "hello", "shared-object", "counter"})
    void eachCommandExplainsItself(String command) {
        assertThat(run(command, "--help")).isZero();
        assertThat(out()).contains("Usage: ./remus " + command, "--cn-threads", "Examples", "./remus " + command);
        assertThat(err()).isEmpty();
    }

    @Test
    void theUsageLineHasNoOptionThatACommandRunsWithout() {
        assertThat(run("intset", "--help")).isZero();
        assertThat(out()).startsWith("Usage: ./remus intset [options]\n");
        assertThat(out().replaceAll("\\s+", " "))
                .contains("--cn-threads <n> The number of Compute Threads on each Compute Node (default 2 without"
                        + " --node-id, else required; 1..4096)")
                .contains("--node-id <n> The id of this node, in one or both of the ranges below (0..1023)");
    }

    @Test
    void benchListsItsSuitesAndEachExplainsItself() {
        assertThat(run("bench")).isZero();
        assertThat(out()).contains("Usage: ./remus bench SUITE", "primitives");
        assertThat(run("bench", "primitives", "--help")).isZero();
        assertThat(out()).contains("Usage: ./remus bench primitives", "--quick", "--jdk", "--filter");
        assertThat(run("bench", "primitive")).isEqualTo(2);
        assertThat(err()).endsWith("./remus bench: there is no suite 'primitive'; did you mean primitives?\n");
        assertThat(run("bench", "primitives", "--jdk", "/no/such/jdk")).isEqualTo(2);
        assertThat(err()).contains("--jdk: got '/no/such/jdk'", "JDK 17 or later");
        assertThat(run("bench", "primitives", "--filter", "nothing has this name"))
                .isEqualTo(2);
        assertThat(err()).contains("--filter: got 'nothing has this name'", "contains, 3 fabrics");
    }

    @Test
    void reproduceListsItsExperimentsAndEachExplainsItself() {
        assertThat(run("reproduce")).isZero();
        assertThat(out()).contains("Usage: ./remus reproduce EXPERIMENT", "lock-free-queue");
        assertThat(run("reproduce", "lock-free-queue", "--help")).isZero();
        assertThat(out()).contains("Usage: ./remus reproduce lock-free-queue", "--full", "--quick", "--seed", "--out");
        assertThat(run("reproduce", "lock-free-queu")).isEqualTo(2);
        assertThat(err())
                .endsWith(
                        "./remus reproduce: there is no experiment 'lock-free-queu'; did you mean lock-free-queue?\n");
        assertThat(run("reproduce", "lock-free-queue", "--full", "--quick")).isEqualTo(2);
        assertThat(err()).contains("--full and --quick exclude each other");
    }

    @Test
    void tortureExplainsItselfAndRejectsInvalidValues() {
        assertThat(run("torture", "--help")).isZero();
        assertThat(out()).contains("Usage: ./remus torture", "--kills", "--seconds", "--seed", "./remus torture");
        assertThat(run("torture", "--kills", "0")).isEqualTo(2);
        assertThat(err()).contains("--kills: got '0'");
        assertThat(run("torture", "--rounds", "1")).isEqualTo(2);
        assertThat(err()).contains("--on-node-loss: got 'abort', needs continue with --rounds");
        assertThat(run("torture", "--on-node-loss", "continue", "--kills", "1")).isEqualTo(2);
        assertThat(err()).contains("--on-node-loss: got 'continue', needs abort with --kills");
    }

    @Test
    void anUnknownCommandGetsASuggestion() {
        assertThat(run("intsets")).isEqualTo(2);
        assertThat(err())
                .hasLineCount(3)
                .startsWith("Usage: ./remus COMMAND")
                .endsWith("remus: there is no command 'intsets'; did you mean intset?\n");
        assertThat(out()).isEmpty();
    }

    @Test
    void withoutACommandTheCommandsAreListed() {
        assertThat(run()).isZero();
        assertThat(out()).startsWith("Usage: ./remus COMMAND");
    }

    @Test
    void aUsageErrorPrintsTwoLinesOfHelpAndTheErrorLast() {
        assertThat(run("intset", "--num-op", "3")).isEqualTo(2);
        assertThat(err().lines()).hasSize(3);
        assertThat(err())
                .startsWith("Usage: ./remus intset ")
                .endsWith(
                        "Try: ./remus intset --help\n./remus intset: unknown option --num-op; did you mean --num-ops?\n");
        assertThat(out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            check lazylst                    | there is no scenario 'lazylst'; did you mean lazylist?
            check --progress lazylst         | ; did you mean
            check barrier --faults stoped-threads | ; did you mean stopped-threads?
            check barrier --scheduler radnom | ; did you mean random?
            bench primtives                  | there is no suite 'primtives'; did you mean primitives?
            doctor --fabric verb             | --fabric: got 'verb', needs shm or verbs; did you mean verbs?
            queue --queue bufered            | ; did you mean buffered?
            queue --sweep 1 --queues np      | ; did you mean nd?
            queue --queues nd                | --queues: got 'nd', needs --sweep
            queue --fabric sim --window --num-ops 9     | --num-ops: got '9', needs to be left out with --window
            queue --fabric sim --window --run-time 9    | --run-time: got '9', needs to be left out with --window
            bench transfers --hardware soft-roce        | --hardware: got 'soft-roce', needs --fabric sim
            intset --latency soft-roc        | there is no hardware 'soft-roc': needs infiniband-fdr, mpi-on-infiniband, soft-roce or a file; did you mean soft-roce?
            kv --baseline haep               | ; did you mean heap?
            bench locks --locks rwlok        | ; did you mean rwlock?
            bench locks --sections shrt      | ; did you mean short?
            bench overlap --works raed       | ; did you mean read?
            bench transfers --fabric simm    | --fabric: got 'simm', needs one of shm, sim, verbs; did you mean sim?
            bench round-trips --fabric shmm  | --fabric: got 'shmm', needs one of shm, verbs; did you mean shm?
            intset --set chached             | ; did you mean cached?
            intset --fabric shmm             | fabric (--fabric): got 'shmm', needs one of shm, verbs; did you mean shm?
            intset --node-id 0               | missing --first-mn-id (a whole number from 0 to 1023), --last-mn-id
            intset --fabric sim --hardware x | unknown option --hardware
            queue --fabric sim --hardware soft-roc | --hardware: there is no hardware 'soft-roc'
            intset --alloc-pol GLOBAL_RR     | ; did you mean GLOBAL-RR?
            completion bahs                  | ; did you mean bash?
            service --on-node-loss abort     | --returns: got '15', needs 0 unless --on-node-loss is continue
            service --on-node-loss abort --returns 0    | --on-node-loss: got 'abort', needs continue
            service --first-cn-id 0          | --first-cn-id: got '0', needs the ids of Compute Nodes
            service-load --url localhost:80  | --url: got 'localhost:80', needs addresses such as
            service-load --url http://a:1 --nodes 2     | --nodes: got '2', needs to be left out with --url
            service-load --run-time 3600 --kill-every 60 | or more --nodes: a node comes back 15 times, and the run would have 59 kills for 3 nodes
            service-load --url http://a:1 --kill-every 3 | --kill-every: got '3', needs 0 unless all nodes run on
            plot                             | missing --x
            table                            | needs one folder
            report                           | needs folders
            """)
    void theLastLineOfAUsageErrorHasTheProblemAndASuggestion(String line, String complaint) {
        assertThat(run(line.split(" "))).isEqualTo(2);
        assertThat(err().lines())
                .hasSize(3)
                .last()
                .asString()
                .contains(complaint)
                .doesNotContain("needs needs");
        assertThat(out()).isEmpty();
    }

    @Test
    void contradictoryOptionsAreRejectedBeforeTheStart() {
        assertThat(run("intset", "--insert", "60")).isEqualTo(2);
        assertThat(err()).contains("--remove: got '50', needs at most 40");
        assertThat(run("intset", "--first-mn-id", "3")).isEqualTo(2);
        assertThat(err()).contains("--last-mn-id");
    }

    @Test
    void oneNodeNeedsAllRequiredOptions() {
        assertThat(run("hello", "--node-id", "1")).isEqualTo(2);
        assertThat(err()).contains("missing --first-mn-id", "--cn-threads");
    }

    @Test
    void anUnwritableFolderIsReportedAtTheStart(@TempDir Path folder) throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        assertThat(run("intset", "--out", file.toString())).isEqualTo(2);
        assertThat(err()).contains("--out: got '" + file + "'");
    }

    @Test
    void aNodeThatIsAlreadyRunningIsReportedAtTheStart() {
        ClusterConfig config = ClusterConfig.builder()
                .cluster("main-test-" + ProcessHandle.current().pid())
                .memoryNodes(0, 0)
                .computeNodes(1, 1)
                .build();
        try (MemoryNode running = MemoryNode.start(config, 0)) {
            assertThat(runNode(config, running.id())).isEqualTo(2);
        }
        assertThat(err())
                .startsWith("remus: node 0: ")
                .contains("already running")
                .hasLineCount(1);
    }

    @Test
    void tooMuchMemoryIsReportedAtTheStart() {
        ClusterConfig config = ClusterConfig.builder()
                .cluster("main-test-" + ProcessHandle.current().pid())
                .memoryNodes(0, 0)
                .computeNodes(1, 1)
                .build();
        assertThat(runNode(config, 0, "--seg-size", "36", "--segs-per-mn", "64"))
                .isEqualTo(2);
        assertThat(err()).startsWith("remus: node 0: ").contains("--seg-size").hasLineCount(1);
    }

    @Test
    void aNodeThatFindsNoOtherFails() {
        ClusterConfig config = ClusterConfig.builder()
                .cluster("main-test-" + ProcessHandle.current().pid())
                .memoryNodes(0, 0)
                .computeNodes(1, 1)
                .build();
        assertThat(runNode(config, 1, "--connect-timeout", "1")).isEqualTo(1);
        assertThat(err())
                .startsWith("remus: node 1: ")
                .contains("Memory Node 0")
                .hasLineCount(1);
    }

    private int runNode(ClusterConfig config, int id, String... more) {
        String[] args = {
            "hello",
            "--node-id=" + id,
            "--cluster=" + config.cluster(),
            "--first-mn-id=" + config.firstMemoryNode(),
            "--last-mn-id=" + config.lastMemoryNode(),
            "--first-cn-id=" + config.firstComputeNode(),
            "--last-cn-id=" + config.lastComputeNode(),
            "--mn-port=" + config.memoryPort(),
            "--cn-threads=" + config.threadsPerNode()
        };
        String[] all = Arrays.copyOf(args, args.length + more.length);
        System.arraycopy(more, 0, all, args.length, more.length);
        return run(all);
    }
}
