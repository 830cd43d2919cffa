package dev.remus.fabric.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.ClusterSecret;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.RemoteSegment;
import dev.remus.fabric.Version;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Membership is proved before anything is granted, and a proof is worth nothing on another connection. */
class ProofTest {
    private static final int COMPUTE_PAIR = 17;
    private static final int MEMORY_PAIR = 18;
    private static final long RUN = 99;
    private static final Handshake.Hello HELLO = new Handshake.Hello(7, 1, 0, 3, "c");

    private static final Handshake.Welcome WELCOME = new Handshake.Welcome(
            RUN,
            Handshake.Answer.WELCOME,
            new RemoteSegment(0, 0, 8, 64, 5),
            List.of(new RemoteSegment(0, 0, 4096, 1 << 20, 6)));

    @TempDir
    private Path folder;

    private final LocalBuffer compute = LocalBuffer.unregistered(2 * Handshake.MAX_BYTES);
    private final LocalBuffer memory = LocalBuffer.unregistered(2 * Handshake.MAX_BYTES);

    private Optional<ClusterSecret> right;
    private Optional<ClusterSecret> wrong;

    @BeforeEach
    void makeSecrets() throws IOException {
        right = Secrets.secret(folder, "right");
        wrong = Secrets.secret(folder, "wrong");
    }

    private static Visit visit(Optional<ClusterSecret> secret) {
        return visit(secret, "c", 0, RUN, MEMORY_PAIR, COMPUTE_PAIR);
    }

    private static Visit visit(Optional<ClusterSecret> secret, String cluster, int node, long run, int own, int peer) {
        ClusterConfig config = ClusterConfig.builder()
                .cluster(cluster)
                .memoryNodes(0, 1)
                .computeNodes(1, 4)
                .build();
        return new Visit(new Visit.House(config, node, run, Version.PRESENT, secret), own, peer);
    }

    private static Introduction introduction(Optional<ClusterSecret> secret) {
        return new Introduction(HELLO, Version.PRESENT, secret, COMPUTE_PAIR, MEMORY_PAIR);
    }

    /** Delivers a message from the first half of a buffer to the second half of the other. */
    private static void deliver(LocalBuffer from, LocalBuffer to, int length) {
        to.view(Handshake.MAX_BYTES, Handshake.MAX_BYTES).put(new byte[Handshake.MAX_BYTES]);
        to.view(Handshake.MAX_BYTES, length).put(Proof.copy(from, 0, length));
    }

    private Visit.Progress toMemory(Visit visit, int length) {
        deliver(compute, memory, length);
        return visit.receive(memory, Handshake.MAX_BYTES, 0);
    }

    /** Plays the handshake up to the proof of the Compute Node. */
    private Visit.Progress prove(Introduction introduction, Visit visit) {
        assertThat(toMemory(visit, introduction.begin(compute, 0))).isEqualTo(Visit.Progress.GOES_ON);
        deliver(memory, compute, visit.length());
        return toMemory(visit, introduction.answer(compute, Handshake.MAX_BYTES, 0));
    }

    private Handshake.Welcome end(Introduction introduction, int length) {
        deliver(memory, compute, length);
        return introduction.end(compute, Handshake.MAX_BYTES);
    }

    @Test
    void nodesWithTheSameSecretConnect() {
        Introduction introduction = introduction(right);
        Visit visit = visit(right);
        assertThat(prove(introduction, visit)).isEqualTo(Visit.Progress.PROVED);
        assertThat(visit.hello()).isEqualTo(HELLO);
        assertThat(end(introduction, visit.write(WELCOME, memory, 0))).isEqualTo(WELCOME);
    }

    @Test
    void nodesWithoutASecretConnect() {
        Introduction introduction = introduction(Optional.empty());
        Visit visit = visit(Optional.empty());
        assertThat(toMemory(visit, introduction.begin(compute, 0))).isEqualTo(Visit.Progress.PROVED);
        assertThat(end(introduction, visit.write(WELCOME, memory, 0))).isEqualTo(WELCOME);
    }

    private void assertRefusedAtOnce(Introduction introduction, Visit visit, String reason) {
        assertThat(toMemory(visit, introduction.begin(compute, 0))).isEqualTo(Visit.Progress.REFUSED);
        assertThatThrownBy(() -> end(introduction, visit.length()))
                .isInstanceOf(FabricException.class)
                .hasMessageContainingAll("Memory Node 0", reason);
    }

    @Test
    void aNodeWithoutTheSecretIsRefusedByTheOptionsName() {
        assertRefusedAtOnce(introduction(Optional.empty()), visit(right), "was started with clusterSecret (--cluster-");
        assertRefusedAtOnce(introduction(right), visit(Optional.empty()), "was started without clusterSecret (--clus");
    }

    @Test
    void aNodeThatTheClusterDoesNotHaveIsRefused() {
        Handshake.Hello hello = new Handshake.Hello(7, 5, 0, 3, "c");
        Introduction introduction = new Introduction(hello, Version.PRESENT, right, COMPUTE_PAIR, MEMORY_PAIR);
        assertRefusedAtOnce(introduction, visit(right), "without Compute Node 5");
    }

    @Test
    void aNodeWithAnotherSecretIsRefused() {
        Introduction introduction = introduction(wrong);
        Visit visit = visit(right);
        assertThat(prove(introduction, visit)).isEqualTo(Visit.Progress.REFUSED);
        assertThatThrownBy(() -> end(introduction, visit.length()))
                .isInstanceOf(FabricException.class)
                .hasMessageContaining("must have the same contents on all nodes");
        assertThatThrownBy(() -> visit.receive(memory, Handshake.MAX_BYTES, 0))
                .as("no second attempt")
                .isInstanceOf(FabricException.class);
    }

    @Test
    void aMemoryNodeThatDoesNotProveItsMembershipIsRefused() {
        Introduction introduction = introduction(right);
        introduction.begin(compute, 0);
        assertThatThrownBy(() -> end(introduction, WELCOME.writeTo(memory, 0, Version.PRESENT)))
                .as("without a challenge")
                .hasMessageContaining("has not proved");
        Introduction other = introduction(right);
        Visit impostor = visit(wrong);
        toMemory(impostor, other.begin(compute, 0));
        deliver(memory, compute, impostor.length());
        other.answer(compute, Handshake.MAX_BYTES, 0);
        assertThatThrownBy(() -> end(other, impostor.write(WELCOME, memory, 0)))
                .as("with another secret")
                .hasMessageContaining("has not proved");
    }

    @Test
    void aWelcomeOfWhichAnyByteWasChangedIsRefused() {
        for (int at = 40; at < 128; at++) {
            Introduction introduction = introduction(right);
            Visit visit = visit(right);
            prove(introduction, visit);
            int length = visit.write(WELCOME, memory, 0);
            memory.view(at, 1).put(0, (byte) ~memory.view(at, 1).get(0));
            assertThatThrownBy(
                            () -> assertThat(end(introduction, length).answer()).isNotEqualTo(Handshake.Answer.WELCOME))
                    .as("byte " + at)
                    .isInstanceOf(FabricException.class);
        }
    }

    @Test
    void aHelloOrAProofOfWhichAnyByteWasChangedProvesNothing() {
        for (int at = 0; at < Handshake.HELLO_BYTES; at++) {
            Introduction introduction = introduction(right);
            Visit visit = visit(right);
            int length = introduction.begin(compute, 0);
            compute.view(at, 1).put(0, (byte) ~compute.view(at, 1).get(0));
            assertThat(isProvedAfter(introduction, visit, length))
                    .as("byte " + at)
                    .isFalse();
        }
        for (int at = 0; at < Handshake.PROOF_BYTES; at++) {
            Introduction introduction = introduction(right);
            Visit visit = visit(right);
            toMemory(visit, introduction.begin(compute, 0));
            deliver(memory, compute, visit.length());
            int length = introduction.answer(compute, Handshake.MAX_BYTES, 0);
            compute.view(at, 1).put(0, (byte) ~compute.view(at, 1).get(0));
            boolean isPartOfTheSoftwaresName = at >= 16 && at < Preamble.BYTES;
            assertThat(isProved(visit, length) && !isPartOfTheSoftwaresName)
                    .as("byte " + at)
                    .isFalse();
        }
    }

    private boolean isProvedAfter(Introduction introduction, Visit visit, int hello) {
        try {
            if (toMemory(visit, hello) != Visit.Progress.GOES_ON) {
                return false;
            }
            deliver(memory, compute, visit.length());
            return isProved(visit, introduction.answer(compute, Handshake.MAX_BYTES, 0));
        } catch (FabricException e) {
            return false;
        }
    }

    private boolean isProved(Visit visit, int proof) {
        try {
            return toMemory(visit, proof) == Visit.Progress.PROVED;
        } catch (FabricException e) {
            return false;
        }
    }

    @Test
    void aProofIsWorthNothingOnAnotherConnection() {
        Introduction introduction = introduction(right);
        int hello = introduction.begin(compute, 0);
        byte[] recordedHello = Proof.copy(compute, 0, hello);
        Visit visit = visit(right);
        toMemory(visit, hello);
        deliver(memory, compute, visit.length());
        int proof = introduction.answer(compute, Handshake.MAX_BYTES, 0);
        byte[] recordedProof = Proof.copy(compute, 0, proof);
        assertThat(toMemory(visit, proof)).isEqualTo(Visit.Progress.PROVED);
        Visit[] others = {
            visit(right),
            visit(right, "c", 0, RUN + 1, MEMORY_PAIR, COMPUTE_PAIR),
            visit(right, "c", 0, RUN, MEMORY_PAIR + 1, COMPUTE_PAIR)
        };
        for (Visit other : others) {
            compute.view(0, hello).put(recordedHello);
            assertThat(toMemory(other, hello)).isEqualTo(Visit.Progress.GOES_ON);
            compute.view(0, proof).put(recordedProof);
            assertThat(toMemory(other, proof)).isEqualTo(Visit.Progress.REFUSED);
        }
    }

    @Test
    void messagesThatAnotherPassesOnThroughItsOwnQueuePairsProveNothing() {
        int stranger = 1234;
        Introduction introduction = new Introduction(HELLO, Version.PRESENT, right, COMPUTE_PAIR, stranger);
        Visit visit = visit(right, "c", 0, RUN, MEMORY_PAIR, stranger);
        assertThat(toMemory(visit, introduction.begin(compute, 0)))
                .as("the Memory Node compares the queue pair in the HELLO with the one at the other end")
                .isEqualTo(Visit.Progress.REFUSED);
        Visit deceived = visit(right);
        toMemory(deceived, introduction.begin(compute, 0));
        deliver(memory, compute, deceived.length());
        assertThatThrownBy(() -> introduction.answer(compute, Handshake.MAX_BYTES, 0))
                .as("and the Compute Node the one in the CHALLENGE")
                .hasMessageContaining("from another connection");
    }

    @Test
    void aSignatureOfOneEndIsNoneOfTheOther() {
        Proof proof = new Proof(right.orElseThrow(), new byte[Handshake.HELLO_BYTES], new byte[88]);
        assertThat(proof.isOfComputeNode(proof.ofComputeNode())).isTrue();
        assertThat(proof.isOfMemoryNode(new byte[0], proof.ofComputeNode())).isFalse();
        assertThat(proof.isOfComputeNode(proof.ofMemoryNode(new byte[0]))).isFalse();
    }
}
