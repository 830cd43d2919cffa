// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.PeerState;
import dev.remus.fabric.RemoteSegment;
import dev.remus.fabric.Version;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A Memory Node grants nothing to a peer that has not proved that it belongs to the cluster. */
@Tag("verbs")
@Timeout(180)
@EnabledIf(value = "dev.remus.fabric.verbs.RdmaMachine#isThere", disabledReason = RdmaMachine.MISSING)
class VerbsAdmissionTest {
    private static final PathOptions OPTIONS = new PathOptions(0, 6, 7, 0);

    @TempDir
    private Path folder;

    private VerbsCluster cluster;

    /** Memory Node 1, which has a secret. */
    private MemoryEndpoint closed;

    private ClusterConfig config;

    @BeforeEach
    void start() throws IOException {
        cluster = new VerbsCluster(0);
        config = with("right");
        closed = cluster.fabric.openMemory(config, 1);
        closed.publish();
    }

    @AfterEach
    void close() {
        closed.close();
        cluster.close();
    }

    private ClusterConfig with(String secret) throws IOException {
        return cluster.config.toBuilder()
                .clusterSecret(Secrets.file(folder, secret).toString())
                .build();
    }

    private void assertRefused(ClusterConfig other, int memoryNode, String reason) {
        try (ComputeEndpoint compute = cluster.fabric.openCompute(other, 3)) {
            assertThatThrownBy(() -> compute.connect(memoryNode, 1, VerbsCluster.PATIENCE))
                    .isExactlyInstanceOf(FabricException.class)
                    .hasMessageContainingAll("Memory Node " + memoryNode, reason);
        }
    }

    @Test
    void nodesWithTheSameSecretShareMemoryAndOthersAreRefusedByName() throws Exception {
        assertRefused(with("wrong"), 1, "must have the same contents on all nodes");
        assertRefused(cluster.config, 1, "was started with clusterSecret (--cluster-secret), this node without");
        assertRefused(config, 0, "was started without clusterSecret (--cluster-secret), this node with it");
        assertThat(closed.peer(3)).isEqualTo(PeerState.ABSENT);
        assertThat(cluster.memory.peer(3)).isEqualTo(PeerState.ABSENT);
        try (ComputeEndpoint compute = cluster.fabric.openCompute(config, 3)) {
            Link link = compute.connect(1, 2, VerbsCluster.PATIENCE);
            LocalBuffer local = compute.allocateLocal(8);
            closed.set(0, 64, 41);
            Chain chain =
                    new Chain(1).fetchAndAdd(link.segment(0), 64, 1, local, 0).signalled(1);
            assertThat(VerbsCluster.execute(link.lane(1), chain)).isEqualTo(CompletionStatus.SUCCESS);
            assertThat(closed.get(0, 64)).isEqualTo(42);
            assertThat(closed.peer(3)).isEqualTo(PeerState.JOINED);
        }
    }

    @Test
    void aNodeOfAnotherVersionIsRefusedByName() {
        Version later = new Version("9.8.7", Version.PRESENT.protocol() + 1, Version.PRESENT.layout());
        try (ComputeEndpoint compute = new VerbsFabric(later).openCompute(cluster.config, 3)) {
            assertThatThrownBy(() -> compute.connect(0, 1, VerbsCluster.PATIENCE))
                    .isInstanceOf(Preamble.OtherVersionException.class)
                    .hasMessage(later.refusal("Memory Node 0", Version.PRESENT).getMessage());
        }
        assertThat(cluster.memory.peer(3)).isEqualTo(PeerState.ABSENT);
    }

    /** Connects to Memory Node 1, and sends nothing. */
    private Connection connect(Reservation own) throws IOException {
        long deadline = System.nanoTime() + VerbsCluster.PATIENCE.toNanos();
        Place place = Place.ofMemoryNode(config, 1);
        Connection.TimeLimit limit = new Connection.TimeLimit() {
            @Override
            public int millisLeft() {
                return (int) VerbsCluster.PATIENCE.toMillis();
            }

            @Override
            public void check() throws IOException {
                if (System.nanoTime() - deadline > 0) {
                    throw new IOException("no answer");
                }
            }
        };
        return Connection.open(
                own.domain(), OPTIONS, own.address(), place.addresses().get(0), place.port(), 16, limit);
    }

    @Test
    void aPeerThatIsNotAdmittedCanNeitherReadNorWriteNorAddAlthoughItKnowsAddressAndKey() throws Exception {
        try (ComputeEndpoint compute = cluster.fabric.openCompute(config, 3)) {
            RemoteSegment segment = compute.connect(1, 1, VerbsCluster.PATIENCE).segment(0);
            closed.set(0, 64, 0x5EC2E7);
            Reservation own = Reservation.of(Place.ofComputeNode(config, 4), DeviceChoice.of(config));
            for (int opcode : new int[] {WorkRequests.READ, WorkRequests.WRITE, WorkRequests.FETCH_AND_ADD}) {
                Connection connection = connect(own);
                QueuePair pair = connection.pair();
                pair.page().putLong(pair.outgoing(), 1);
                WorkRequests requests = new WorkRequests(1);
                requests.set(0, -9, opcode, WorkRequests.SIGNALED);
                requests.setLocal(
                        0,
                        pair.page().address() + pair.outgoing(),
                        8,
                        pair.page().localKey());
                if (opcode == WorkRequests.FETCH_AND_ADD) {
                    requests.setRemote(0, segment.address() + 64, segment.rkey(), 1, 0);
                } else {
                    requests.setRemote(0, segment.address() + 64, segment.rkey());
                }
                Verbs.postSend(pair.handle(), requests.address(0));
                VerbsCluster.until("the request is refused", () -> hasFailed(pair));
                assertThat(pair.page().getLong(pair.outgoing())).isOne();
                connection.close();
            }
            own.close();
            assertThat(closed.get(0, 64)).isEqualTo(0x5EC2E7);
        }
    }

    private static boolean hasFailed(QueuePair pair) {
        try {
            pair.poll();
            return pair.hasFailed();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aPeerThatConnectsAndNeverCompletesIsDroppedAndKeepsNoOtherOut() throws Exception {
        Reservation own = Reservation.of(Place.ofComputeNode(config, 4), DeviceChoice.of(config));
        long begin = System.nanoTime();
        Connection silent = connect(own);
        try (ComputeEndpoint compute = cluster.fabric.openCompute(config, 3)) {
            compute.connect(1, 1, VerbsCluster.PATIENCE);
        }
        assertThat(silent.hasEnded()).isFalse();
        VerbsCluster.until("it is dropped", silent::hasEnded);
        assertThat(System.nanoTime() - begin).isGreaterThan(Acceptor.HANDSHAKE_NANOS / 2);
        silent.close();
        own.close();
        assertThat(closed.peer(4)).isEqualTo(PeerState.ABSENT);
    }
}
