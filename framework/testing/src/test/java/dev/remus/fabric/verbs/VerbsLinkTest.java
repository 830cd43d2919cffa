// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.PeerState;
import dev.remus.fabric.Version;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** Control connections that fail although neither process has ended, as when a link is down for a while. */
@Tag("verbs")
@Timeout(180)
@EnabledIf(value = "dev.remus.fabric.verbs.RdmaMachine#isThere", disabledReason = RdmaMachine.MISSING)
class VerbsLinkTest {
    private static final int CONTROL = Handshake.Hello.control(0);
    private static final long RUN = 77;

    private VerbsCluster cluster;

    /** Memory Node 1, which gives up others after a second. */
    private MemoryEndpoint impatient;

    private Reservation own;
    private Dialer dialer;

    @BeforeEach
    void start() {
        cluster = new VerbsCluster(0);
        ClusterConfig config =
                cluster.config.toBuilder().lossTimeout(Duration.ofSeconds(1)).build();
        impatient = cluster.fabric.openMemory(config, 1);
        impatient.publish();
        own = Reservation.of(Place.ofComputeNode(config, 3), DeviceChoice.of(config));
        dialer = new Dialer(config, 3, RUN, own, Version.PRESENT, () -> {});
    }

    @AfterEach
    void close() {
        own.close();
        impatient.close();
        cluster.close();
    }

    /** Makes a queue pair fail at both ends: it writes to memory that the other end has not registered. */
    private static void breakDown(Connection connection) throws IOException {
        WorkRequests requests = new WorkRequests(1);
        QueuePair pair = connection.pair();
        requests.set(0, -9, WorkRequests.WRITE, WorkRequests.SIGNALED);
        requests.setLocal(0, pair.page().address(), Long.BYTES, pair.page().localKey());
        requests.setRemote(0, 0, 0);
        Verbs.postSend(pair.handle(), requests.address(0));
    }

    private Dialer.Dialled attempt(int number) throws IOException {
        InetAddress address = Place.ofMemoryNode(cluster.config, 1).addresses().get(0);
        long end = System.nanoTime() + VerbsCluster.PATIENCE.toNanos();
        return dialer.attempt(address, 1, number, end, () -> {}, Connection::close);
    }

    @Test
    void aControlConnectionThatFailsIsReplacedAndNoNodeIsLost() throws Exception {
        VerbsLink link = (VerbsLink) cluster.compute.connect(0, 1, VerbsCluster.PATIENCE);
        LocalBuffer local = cluster.compute.allocateLocal(8);
        Chain chain = new Chain(1);
        for (int i = 0; i < 3; i++) {
            Connection old = link.control();
            breakDown(old);
            VerbsCluster.until("the control connection is replaced", () -> link.control() != old);
            chain.clear().fetchAndAdd(link.segment(0), 64, 1, local, 0).signalled(i);
            assertThat(VerbsCluster.execute(link.lane(0), chain)).isEqualTo(CompletionStatus.SUCCESS);
            assertThat(link.isReachable()).isTrue();
            assertThat(cluster.memory.peer(1)).isEqualTo(PeerState.JOINED);
        }
        assertThat(link.isLost()).isFalse();
        cluster.compute.close();
        VerbsCluster.until("the node has left", () -> cluster.memory.peer(1) == PeerState.FINISHED);
    }

    @Test
    void operationsWorkWithOptionsOfTheirConnections() throws Exception {
        ClusterConfig config = cluster.config.toBuilder()
                .ackTimeout(18)
                .retryCount(5)
                .rnrRetryCount(6)
                .trafficClass(104)
                .build();
        try (ComputeEndpoint compute = cluster.fabric.openCompute(config, 2)) {
            Link link = compute.connect(0, 1, VerbsCluster.PATIENCE);
            LocalBuffer local = compute.allocateLocal(8);
            Chain chain =
                    new Chain(1).fetchAndAdd(link.segment(0), 64, 1, local, 0).signalled(1);
            assertThat(VerbsCluster.execute(link.lane(0), chain)).isEqualTo(CompletionStatus.SUCCESS);
        }
    }

    /** The entry of the port's table of GIDs that is an address of the nodes. */
    private static int gidIndex(RdmaPort port, String host) throws IOException {
        InetAddress address = InetAddress.getByName(host);
        for (int index = 0; index < 256; index++) {
            if (port.gid(RdmaPort.DEVICES, index).filter(address::equals).isPresent()) {
                return index;
            }
        }
        throw new AssertionError("no GID of " + port + " is " + host);
    }

    @Test
    void bothEndsUseTheDeviceAndTheGidThatTheyAreToldToUse() throws Exception {
        RdmaPort port = RdmaPort.all().get(0);
        int index = gidIndex(port, cluster.config.host(1));
        ClusterConfig chosen = cluster.config.toBuilder()
                .cluster(cluster.config.cluster() + "-gid")
                .hosts(Collections.nCopies(cluster.config.nodes(), cluster.config.host(1)))
                .device(port.device() + ":" + port.number())
                .gidIndex(index)
                .memoryPort(cluster.config.memoryPort() + 1000)
                .build();
        try (MemoryEndpoint memory = cluster.fabric.openMemory(chosen, 1);
                ComputeEndpoint compute = cluster.fabric.openCompute(chosen, 2)) {
            memory.publish();
            VerbsLink link = (VerbsLink) compute.connect(1, 1, VerbsCluster.PATIENCE);
            assertThat(RemoteAccess.gidIndex(link.control().pair().handle())).isEqualTo(index);
            LocalBuffer local = compute.allocateLocal(8);
            Chain chain =
                    new Chain(1).fetchAndAdd(link.segment(0), 64, 1, local, 0).signalled(1);
            assertThat(VerbsCluster.execute(link.lane(0), chain)).isEqualTo(CompletionStatus.SUCCESS);
        }
    }

    @Test
    void aConnectionByAnotherGidIsObjectedTo() throws Exception {
        Dialer.Dialled dialled = attempt(5);
        int used = RemoteAccess.gidIndex(dialled.connection().pair().handle());
        ClusterConfig other = cluster.config.toBuilder().gidIndex(used + 1).build();
        QueuePair pair = dialled.connection().pair();
        assertThat(DeviceChoice.of(cluster.config).objection(pair)).isEmpty();
        assertThat(DeviceChoice.of(other).objection(pair).orElseThrow())
                .contains("uses GID " + used + ", not " + (used + 1), "cma_roce_mode");
        dialled.connection().close();
    }

    @Test
    void aNodeThatConnectsAgainWithinTheLossTimeoutIsNotLost() throws Exception {
        Dialer.Dialled first = attempt(CONTROL);
        breakDown(first.connection());
        Dialer.Dialled second = attempt(CONTROL);
        assertThat(second.welcome().answer()).isEqualTo(Handshake.Answer.WELCOME);
        first.connection().close();
        Thread.sleep(1500);
        assertThat(impatient.peer(3)).isEqualTo(PeerState.JOINED);
        second.connection().close(); // without a goodbye
        VerbsCluster.until("its end is noticed", () -> impatient.peer(3) == PeerState.LOST);
        assertThat(impatient.lossOf(3)).isEqualTo(LossKind.ENDED);
    }

    @Test
    void aRunThatOthersDeclareLostLosesItsLanesAndCannotConnectAgainButTheNextRunCan() throws Exception {
        Dialer.Dialled control = attempt(CONTROL);
        Dialer.Dialled lane = attempt(5);
        VerbsCluster.until("it has joined", () -> impatient.peer(3) == PeerState.JOINED);
        assertThat(impatient.incarnation(3)).isEqualTo(RUN);
        VerbsCluster.until("it is cut off", () -> impatient.fence(3, RUN));
        VerbsCluster.until("its lane has ended", () -> lane.connection().hasEnded());
        assertThat(control.connection().hasEnded())
                .as("the control connection carries no operations, and shows the end of the process")
                .isFalse();
        for (int number : new int[] {CONTROL, 5, 6}) {
            Dialer.Dialled refused = attempt(number);
            assertThat(refused.welcome().answer()).isEqualTo(Handshake.Answer.CUT_OFF);
            assertThat(refused.welcome().segments()).isEmpty();
            refused.connection().close();
        }
        lane.connection().close();
        control.connection().close();
        VerbsCluster.until("its end is noticed", () -> impatient.peer(3) == PeerState.LOST);
        dialer = new Dialer(cluster.config, 3, RUN + 1, own, Version.PRESENT, () -> {});
        Dialer.Dialled next = attempt(CONTROL);
        assertThat(next.welcome().answer()).isEqualTo(Handshake.Answer.WELCOME);
        assertThat(impatient.fence(3, RUN)).isTrue();
        assertThat(impatient.peer(3)).isEqualTo(PeerState.JOINED);
        next.connection().close();
    }

    @Test
    void aNodeThatStaysUnreachableForTheLossTimeoutIsLostAndItsRunCannotComeBack() throws Exception {
        Dialer.Dialled silent = attempt(CONTROL);
        long begin = System.nanoTime();
        breakDown(silent.connection());
        VerbsCluster.until("it is lost", () -> impatient.peer(3) == PeerState.LOST);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
        assertThat(impatient.lossOf(3)).isEqualTo(LossKind.UNREACHABLE);
        silent.connection().close();
        for (int number : new int[] {CONTROL, 5}) {
            Dialer.Dialled refused = attempt(number);
            assertThat(refused.welcome().answer()).isEqualTo(Handshake.Answer.CUT_OFF);
            assertThat(refused.welcome().segments()).isEmpty();
            refused.connection().close();
        }
    }
}
