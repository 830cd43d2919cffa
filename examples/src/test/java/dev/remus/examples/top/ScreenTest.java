package dev.remus.examples.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.shm.LocalClusters.Look;
import dev.remus.fabric.shm.LocalClusters.Node;
import dev.remus.fabric.shm.LocalClusters.Segment;
import dev.remus.fabric.shm.LocalClusters.State;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ScreenTest {
    private static Look look(long seconds, long reads, State second, OptionalInt lost) {
        Map<String, String> notice = Map.of(
                "nanos",
                Long.toString(seconds * 1_000_000_000L),
                "thread.0",
                reads + " 20 30 40 50",
                "thread.1",
                "0 0 0 0 0");
        return new Look(
                "demo",
                List.of(
                        new Node(0, true, State.RUNNING, "11", Map.of()),
                        new Node(1, false, State.RUNNING, "12", notice),
                        new Node(2, false, second, "13", Map.of())),
                List.of(new Segment(0, 0, 512 << 10, 1 << 20)),
                lost);
    }

    @Test
    void aThreadsSpeedIsTheDifferenceOfTwoNoticesDividedByTheTimeBetweenThem() {
        Screen screen = new Screen(new Locks(), false);
        Look first = look(10, 1_000, State.FINISHED, OptionalInt.empty());
        screen.note(first);
        assertThat(screen.knowsSpeeds(first)).isFalse();
        Look second = look(12, 3_000, State.FINISHED, OptionalInt.empty());
        screen.note(second);
        assertThat(screen.knowsSpeeds(second)).isTrue();
        assertThat(screen.show(second))
                .anySatisfy(line -> assertThat(line).matches("node 1, process 12 +1000 +1000 +0 +0 +0 +0"))
                .anySatisfy(line -> assertThat(line).matches("  thread 0 +1000 +1000 +0 +0 +0 +0"))
                .anySatisfy(line -> assertThat(line).matches("  thread 1 +0 +0 +0 +0 +0 +0"));
    }

    @Test
    void memoryAndLostNodesAreShownInLinesOf80Characters() {
        Screen screen = new Screen(new Locks(), false);
        Look look = look(10, 1_000, State.LOST, OptionalInt.of(2));
        screen.note(look);
        assertThat(screen.show(look))
                .contains(
                        "cluster demo: 1 Memory Node, 2 Compute Nodes", "node 2 was lost", "node 2  LOST (process 13)")
                .contains("  node 0, segment 0   [###############...............]  50 %  512 of 1,024 KiB")
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
    }

    @Test
    void aClusterThatHasEndedIsShownWithTheNodeThatWasLostAndItsLastFigures() {
        Screen screen = new Screen(new Locks(), false);
        screen.note(look(10, 1_000, State.RUNNING, OptionalInt.empty()));
        Look last = look(12, 3_000, State.RUNNING, OptionalInt.empty());
        screen.note(last);
        assertThat(screen.showEnded(last, OptionalInt.of(2), LocalTime.of(13, 45, 10)))
                .startsWith(
                        "cluster demo: 1 Memory Node, 2 Compute Nodes",
                        "ended at 13:45:10: node 2 was lost; its last figures:")
                .anySatisfy(line -> assertThat(line).matches("node 1, process 12 +1000 +1000 +0 +0 +0 +0"));
        assertThat(screen.showEnded(last, OptionalInt.empty(), LocalTime.of(13, 45, 10)))
                .contains("ended at 13:45:10; its last figures:");
    }

    @Test
    void whatIsCountedIsNamedRemoteOperations() {
        assertThat(new Screen(new Locks(), false).show(look(10, 1_000, State.RUNNING, OptionalInt.empty())))
                .anySatisfy(line -> assertThat(line).startsWith("remote operations/s"));
    }

    @Test
    void coloursAreThereOnlyIfAskedFor() {
        Look look = look(10, 1_000, State.LOST, OptionalInt.of(2));
        assertThat(String.join("", new Screen(new Locks(), true).show(look))).contains("\033[");
        assertThat(String.join("", new Screen(new Locks(), false).show(look))).doesNotContain("\033");
    }

    @Test
    void whereNoClusterOfThatNameRunsItSaysSoAndFails() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThat(TopCommand.run(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        System.err,
                        "--once",
                        "--cluster",
                        "no-such-cluster"))
                .isEqualTo(1);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("no cluster is running");
    }
}
