// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.LossKind;
import dev.remus.fabric.shm.LocalClusters.Look;
import dev.remus.fabric.shm.LocalClusters.Lost;
import dev.remus.fabric.shm.LocalClusters.Node;
import dev.remus.fabric.shm.LocalClusters.Segment;
import dev.remus.fabric.shm.LocalClusters.State;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScreenTest {
    private static final LocalTime NOON = LocalTime.NOON;

    private static Look look(long seconds, long reads, State second, Optional<Lost> lost) {
        Map<String, String> notice = Map.of(
                "nanos",
                Long.toString(seconds * 1_000_000_000L),
                "thread.0",
                reads + " 20 30 40 50",
                "thread.1",
                "0 0 0 0 0",
                "figure.work",
                "run " + 10 * reads);
        return new Look(
                "demo",
                List.of(
                        new Node(0, true, State.RUNNING, "11", Map.of()),
                        new Node(1, false, State.RUNNING, "12", notice),
                        new Node(2, false, second, "13", Map.of("failed", "the books do not balance"))),
                List.of(new Segment(0, 0, 512 << 10, 1 << 20)),
                lost);
    }

    @Test
    void aThreadsSpeedIsTheDifferenceOfTwoNoticesDividedByTheTimeBetweenThem() {
        Screen screen = new Screen(new Locks(), new Epochs(), false);
        Look first = look(10, 1_000, State.FINISHED, Optional.empty());
        screen.note(first, NOON);
        assertThat(screen.hasSpeeds(first)).isFalse();
        Look second = look(12, 3_000, State.FINISHED, Optional.empty());
        screen.note(second, NOON);
        assertThat(screen.hasSpeeds(second)).isTrue();
        assertThat(screen.show(second))
                .anySatisfy(line -> assertThat(line).matches("node 1, process 12 +1000 +1000 +0 +0 +0 +0"))
                .anySatisfy(line -> assertThat(line).matches("  thread 0 +1000 +1000 +0 +0 +0 +0"))
                .anySatisfy(line -> assertThat(line).matches("  thread 1 +0 +0 +0 +0 +0 +0"))
                .contains("  operations on structures: 10,000/s (run)");
    }

    @Test
    void memoryAndLostNodesAreShownInLinesOf80Characters() {
        Screen screen = new Screen(new Locks(), new Epochs(), false);
        Look look = look(10, 1_000, State.LOST, Optional.of(new Lost(2, LossKind.ENDED)));
        screen.note(look, NOON);
        assertThat(screen.show(look))
                .contains(
                        "cluster demo: 1 Memory Node, 2 Compute Nodes",
                        "node 2 is lost: its process has ended",
                        "node 2  LOST (process 13)")
                .contains("  failed: the books do not balance")
                .contains("  node 0, segment 0   [###############...............]  50 %  512 of 1,024 KiB")
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
    }

    @Test
    void aNodeThatOthersOutliveIsShownWithTheTimeOfItsLossAndItsLastFigures() {
        Screen screen = new Screen(new Locks(), new Epochs(), false);
        Map<Integer, Node> nodes = new TreeMap<>();
        for (int seconds = 0; seconds < 3; seconds++) {
            State state = seconds < 2 ? State.RUNNING : State.LOST;
            Map<String, String> notice =
                    Map.of("nanos", Long.toString(seconds * 1_000_000_000L), "thread.0", 70 * seconds + " 0 0 0 0");
            nodes.put(1, new Node(1, false, state, "12", notice));
            screen.note(
                    new Look("demo", List.copyOf(nodes.values()), List.of(), Optional.empty()),
                    NOON.plusSeconds(seconds));
        }
        assertThat(screen.show(new Look("demo", List.copyOf(nodes.values()), List.of(), Optional.empty())))
                .contains("node 1  LOST at 12:00:02 (process 12)")
                .anySatisfy(line -> assertThat(line).matches("  its last figures +70 +70 +0 +0 +0 +0"));
    }

    @ParameterizedTest
    @CsvSource({
        "ENDED, node 2 is lost: its process has ended",
        "UNREACHABLE, 'node 2 is lost: it stayed unreachable, so its machine or the network has failed'",
        "NEVER_JOINED, node 2 never joined: it was not there within connectTimeout (--connect-timeout)",
        "FAILED, node 2 failed"
    })
    void eachKindOfLossHasALineOfItsOwn(LossKind kind, String line) {
        Look look = look(10, 1_000, State.LOST, Optional.of(new Lost(2, kind)));
        assertThat(new Screen(new Locks(), new Epochs(), false).show(look)).contains(line);
    }

    @Test
    void aNodeWhoseProcessIsStoppedIsShownAsStopped() {
        assertThat(new Screen(new Locks(), new Epochs(), false).show(look(10, 1_000, State.STOPPED, Optional.empty())))
                .contains("node 2  STOPPED (process 13; kill -CONT 13 continues it)");
    }

    @Test
    void aClusterThatHasEndedIsShownWithTheNodeThatWasLostAndItsLastFigures() {
        Screen screen = new Screen(new Locks(), new Epochs(), false);
        screen.note(look(10, 1_000, State.RUNNING, Optional.empty()), NOON);
        Look last = look(12, 3_000, State.RUNNING, Optional.empty());
        screen.note(last, NOON);
        assertThat(screen.showEnded(last, Optional.of(new Lost(2, LossKind.ENDED)), LocalTime.of(13, 45, 10)))
                .startsWith(
                        "cluster demo: 1 Memory Node, 2 Compute Nodes",
                        "ended at 13:45:10: node 2 is lost: its process has ended; its last figures:")
                .anySatisfy(line -> assertThat(line).matches("node 1, process 12 +1000 +1000 +0 +0 +0 +0"));
        assertThat(screen.showEnded(last, Optional.empty(), LocalTime.of(13, 45, 10)))
                .contains("ended at 13:45:10; its last figures:");
    }

    @Test
    void aThreadThatHoldsUpReclamationIsNamedInOneLine() {
        Node node = new Node(1, false, State.RUNNING, "12", Map.of("stalled", "1023 4095 86400 1234567"));
        Look look = new Look("demo", List.of(node), List.of(), Optional.empty());
        assertThat(new Screen(new Locks(), new Epochs(), false).show(look))
                .contains("node 1023, thread 4095 stands still: for 86400 s, 1234567 blocks of node 1 wait");
    }

    @Test
    void theColumnsAreHeadedRemoteOperations() {
        assertThat(new Screen(new Locks(), new Epochs(), false).show(look(10, 1_000, State.RUNNING, Optional.empty())))
                .anySatisfy(line -> assertThat(line).startsWith("remote operations/s"));
    }

    @Test
    void coloursAreUsedOnlyOnRequest() {
        Look look = look(10, 1_000, State.LOST, Optional.of(new Lost(2, LossKind.ENDED)));
        assertThat(String.join("", new Screen(new Locks(), new Epochs(), true).show(look)))
                .contains("\033[");
        assertThat(String.join("", new Screen(new Locks(), new Epochs(), false).show(look)))
                .doesNotContain("\033");
    }

    @Test
    void aMissingClusterIsReportedWithStatus1() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThat(TopCommand.run(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        System.err,
                        "--once",
                        "--cluster",
                        "no-such-cluster"))
                .isEqualTo(1);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("no cluster 'no-such-cluster' is running");
    }
}
