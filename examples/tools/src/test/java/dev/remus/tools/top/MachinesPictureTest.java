// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.LossKind;
import dev.remus.fabric.shm.LocalClusters.Look;
import dev.remus.fabric.shm.LocalClusters.Lost;
import dev.remus.fabric.shm.LocalClusters.Node;
import dev.remus.fabric.shm.LocalClusters.Segment;
import dev.remus.fabric.shm.LocalClusters.State;
import java.io.IOException;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MachinesPictureTest {
    private static final LocalTime TIME = LocalTime.of(18, 30, 5);

    private final ReportingMachine first = new ReportingMachine(0, "apt030");
    private final ReportingMachine second = new ReportingMachine(1, "apt132");
    private final ReportingMachine third = new ReportingMachine(2, "apt028.emulab.net");
    private final MachinesPicture picture = new MachinesPicture(List.of(first, second, third), false);

    private static Node memory(String... more) {
        Map<String, String> notice = new LinkedHashMap<>(Map.of("nanos", "1", "epochs", "9 0 10 9"));
        for (int i = 0; i < more.length; i += 2) {
            notice.put(more[i], more[i + 1]);
        }
        return new Node(0, true, State.RUNNING, "11", notice);
    }

    private static Node compute(int id, long seconds, State state) {
        Map<String, String> notice = Map.of(
                "nanos",
                Long.toString((100L * id + seconds) * 1_000_000_000L),
                "threads",
                "3",
                "first",
                Integer.toString(id),
                "epoch",
                "64",
                "thread.0",
                seconds * 1000 + " 0 0 0 " + seconds * 500,
                "figure.work",
                "run " + seconds * 100,
                "retired",
                "7 448",
                "holds.0",
                "4096",
                "awaits.0",
                "4160:queue",
                "failed",
                state == State.LOST ? "the books do not balance" : "");
        return new Node(id, false, state, "12", notice);
    }

    private static void report(ReportingMachine machine, Node... nodes) throws IOException {
        List<Segment> segments = machine.id() == 0 ? List.of(new Segment(0, 0, 1 << 10, 4 << 10)) : List.of();
        Look look = new Look("demo", List.of(nodes), segments, Optional.empty());
        List<Sighting> all = nodes.length == 0 ? List.of() : List.of(new Sighting("verbs", look));
        machine.accept(SightingJson.line(all), System.nanoTime(), TIME);
    }

    private List<String> lines() throws IOException {
        picture.poll();
        return new ArrayList<>(picture.lines());
    }

    private void begin() throws IOException {
        report(first, memory("peer.1", "joined", "peer.2", "joined"));
        report(second, compute(1, 10, State.RUNNING));
        report(third, compute(2, 20, State.RUNNING));
        picture.poll();
        assertThat(picture.isComplete()).isFalse();
        report(second, compute(1, 12, State.RUNNING));
        report(third, compute(2, 21, State.RUNNING));
    }

    @Test
    void theNodesOfAllMachinesMakeOneTableWithTheirSum() throws IOException {
        begin();
        assertThat(lines())
                .containsExactly(
                        "cluster demo over verbs: 1 Memory Node, 2 Compute Nodes",
                        "",
                        "node machine       state     structures/s   remote/s    trips/s  memory  retired",
                        "   0 apt030        running              -          -          -    25 %        -",
                        "   1 apt132        running            100       1000        500       -        7",
                        "   2 apt028.emula~ running            100       1000        500       -        7",
                        " all                                  200       2000       1000       -       14",
                        "",
                        "reclamation: blocks that are retired and not yet free",
                        "  epoch 9: node 2, thread 0 is the last, at 8",
                        "  node 1  7 blocks, 1 KiB",
                        "  node 2  7 blocks, 1 KiB",
                        "",
                        "locks, in the nodes' last notices    kind     held by                   waiting",
                        "  node 0, segment 0, offset 0x1040   queue    -                               2",
                        "  node 0, segment 0, offset 0x1000   ticket   node 1, thread 0, +1            0")
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
        assertThat(picture.isComplete()).isTrue();
        assertThat(picture.hasTrouble()).isFalse();
    }

    @Test
    void theLastFiguresOfALostMachineStayWithTheTimeOfTheLastReportAndTheReason() throws IOException {
        begin();
        picture.poll();
        third.accept("ssh: connect to host apt028 port 22: No route to host", 0, TIME);
        third.accept("ended 255", 0, TIME);
        assertThat(lines())
                .startsWith("node 2, apt028.emulab.net: no news since 18:30:05: ssh: connect to host apt02...")
                .contains("   2 apt028.emula~ no news            100       1000        500       -        7");
        assertThat(picture.hasTrouble()).isTrue();

        report(first, memory("peer.1", "joined", "peer.2", "lost", "lost.2", "unreachable"));
        assertThat(lines())
                .contains("node 2 is lost: it stayed unreachable, so its machine or the network has failed")
                .contains("   2 apt028.emula~ LOST               100       1000        500       -        7")
                .anyMatch(line -> line.matches("  LOST at \\d\\d:\\d\\d:\\d\\d"));

        report(third, compute(2, 24, State.RUNNING)); // the machine is back, and its node still runs
        assertThat(lines()).anyMatch(line -> line.startsWith("   2 apt028.emula~ running "));
        assertThat(picture.hasTrouble()).isFalse();
    }

    @Test
    void aMachineThatHasSentNothingForLongIsOneWithoutNews() throws IOException {
        report(first, memory());
        assertThat(first.news(System.nanoTime() + 60_000_000_000L).trouble())
                .contains("no news since 18:30:05: it does not answer");
        assertThat(second.news(0).isKnown()).isFalse();
        second.accept("ended 255", 0, TIME);
        assertThat(second.news(0).trouble()).contains("no news: the connection to it has failed");
    }

    @Test
    void aNodeThatIsGoneHasFinishedAndOneWhoseProcessHasDiedIsLostWithItsReason() throws IOException {
        begin();
        picture.poll();
        report(second);
        report(third, compute(2, 22, State.LOST));
        assertThat(lines())
                .contains("   1 apt132        finished             -          -          -       -        -")
                .contains("   2 apt028.emula~ LOST               100       1000        500       -        7")
                .anyMatch(line -> line.matches("  LOST at \\d\\d:\\d\\d:\\d\\d"))
                .contains("  failed: the books do not balance");
    }

    @Test
    void aStoppedNodeHasNoFigures() throws IOException {
        begin();
        picture.poll();
        report(third, compute(2, 22, State.STOPPED));
        assertThat(lines())
                .contains("   2 apt028.emula~ STOPPED              -          -          -       -        -");
    }

    @Test
    void aClusterThatHasEndedStaysWithItsLastFigures() throws IOException {
        begin();
        picture.poll();
        report(first);
        report(second);
        report(third);
        assertThat(lines())
                .startsWith("cluster demo over verbs: 1 Memory Node, 2 Compute Nodes")
                .anyMatch(line -> line.matches("ended at \\d\\d:\\d\\d:\\d\\d; its last figures:"))
                .contains("   1 apt132        running            100       1000        500       -        7");
        assertThat(picture.isEmpty()).isTrue();
        picture.forgetEnded();
        assertThat(lines()).isEmpty();
        assertThat(picture.none()).isEqualTo("no cluster is running on these machines");
    }

    @Test
    void leftoversOfAnEarlierRunAreNotShown() throws IOException {
        report(first);
        report(second, compute(1, 10, State.LOST));
        report(third);
        assertThat(lines()).isEmpty();
    }

    @Test
    void aLineOfJsonKeepsAllThatAMachineHasSeen() throws IOException {
        Look look = new Look(
                "demo",
                List.of(memory("peer.1", "joined"), compute(1, 10, State.STOPPED)),
                List.of(new Segment(0, 1, 5, 1L << 36)),
                Optional.of(new Lost(2, LossKind.NEVER_JOINED)));
        List<Sighting> all = List.of(new Sighting("verbs", look));
        assertThat(SightingJson.line(all)).doesNotContain("\n");
        assertThat(SightingJson.read(SightingJson.line(all))).isEqualTo(all);
    }

    @Test
    void aReportThatCannotBeReadIsATroubleOfItsMachine() throws IOException {
        report(first);
        first.accept("{\"clusters\": [{\"nodes\": [{\"id\": 1}]}]}", 0, TIME);
        assertThat(first.news(System.nanoTime()).trouble())
                .contains("no news since 18:30:05: its report cannot be read: is its build another one?");
    }
}
