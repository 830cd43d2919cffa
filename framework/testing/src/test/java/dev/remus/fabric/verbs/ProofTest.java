// SPDX-License-Identifier: Apache-2.0
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

    private static MemoryNodeHandshake memoryEnd(Optional<ClusterSecret> secret) {
        return memoryEnd(secret, "c", 0, RUN, MEMORY_PAIR, COMPUTE_PAIR);
    }

    private static MemoryNodeHandshake memoryEnd(
            Optional<ClusterSecret> secret, String cluster, int node, long run, int own, int peer) {
        ClusterConfig config = ClusterConfig.builder()
                .cluster(cluster)
                .memoryNodes(0, 1)
                .computeNodes(1, 4)
                .build();
        return new MemoryNodeHandshake(
                new MemoryNodeHandshake.Requirements(config, node, run, Version.PRESENT, secret), own, peer);
    }

    private static ComputeNodeHandshake computeEnd(Optional<ClusterSecret> secret) {
        return new ComputeNodeHandshake(HELLO, Version.PRESENT, secret, COMPUTE_PAIR, MEMORY_PAIR);
    }

    /** Delivers a message from the first half of a buffer to the second half of the other. */
    private static void deliver(LocalBuffer from, LocalBuffer to, int length) {
        to.view(Handshake.MAX_BYTES, Handshake.MAX_BYTES).put(new byte[Handshake.MAX_BYTES]);
        to.view(Handshake.MAX_BYTES, length).put(Proof.copy(from, 0, length));
    }

    private MemoryNodeHandshake.Progress toMemory(MemoryNodeHandshake memoryEnd, int length) {
        deliver(compute, memory, length);
        return memoryEnd.receive(memory, Handshake.MAX_BYTES, 0);
    }

    /** Plays the handshake up to the proof of the Compute Node. */
    private MemoryNodeHandshake.Progress prove(ComputeNodeHandshake computeEnd, MemoryNodeHandshake memoryEnd) {
        assertThat(toMemory(memoryEnd, computeEnd.begin(compute, 0))).isEqualTo(MemoryNodeHandshake.Progress.GOES_ON);
        deliver(memory, compute, memoryEnd.length());
        return toMemory(memoryEnd, computeEnd.answer(compute, Handshake.MAX_BYTES, 0));
    }

    private Handshake.Welcome end(ComputeNodeHandshake computeEnd, int length) {
        deliver(memory, compute, length);
        return computeEnd.end(compute, Handshake.MAX_BYTES);
    }

    @Test
    void nodesWithTheSameSecretConnect() {
        ComputeNodeHandshake computeEnd = computeEnd(right);
        MemoryNodeHandshake memoryEnd = memoryEnd(right);
        assertThat(prove(computeEnd, memoryEnd)).isEqualTo(MemoryNodeHandshake.Progress.PROVED);
        assertThat(memoryEnd.hello()).isEqualTo(HELLO);
        assertThat(end(computeEnd, memoryEnd.write(WELCOME, memory, 0))).isEqualTo(WELCOME);
    }

    @Test
    void nodesWithoutASecretConnect() {
        ComputeNodeHandshake computeEnd = computeEnd(Optional.empty());
        MemoryNodeHandshake memoryEnd = memoryEnd(Optional.empty());
        assertThat(toMemory(memoryEnd, computeEnd.begin(compute, 0))).isEqualTo(MemoryNodeHandshake.Progress.PROVED);
        assertThat(end(computeEnd, memoryEnd.write(WELCOME, memory, 0))).isEqualTo(WELCOME);
    }

    private void assertRefusedAtOnce(ComputeNodeHandshake computeEnd, MemoryNodeHandshake memoryEnd, String reason) {
        assertThat(toMemory(memoryEnd, computeEnd.begin(compute, 0))).isEqualTo(MemoryNodeHandshake.Progress.REFUSED);
        assertThatThrownBy(() -> end(computeEnd, memoryEnd.length()))
                .isInstanceOf(FabricException.class)
                .hasMessageContainingAll("Memory Node 0", reason);
    }

    @Test
    void aNodeWithoutTheSecretIsRefusedByTheOptionsName() {
        assertRefusedAtOnce(
                computeEnd(Optional.empty()), memoryEnd(right), "was started with clusterSecret (--cluster-");
        assertRefusedAtOnce(
                computeEnd(right), memoryEnd(Optional.empty()), "was started without clusterSecret (--clus");
    }

    @Test
    void aNodeThatTheClusterDoesNotHaveIsRefused() {
        Handshake.Hello hello = new Handshake.Hello(7, 5, 0, 3, "c");
        ComputeNodeHandshake computeEnd =
                new ComputeNodeHandshake(hello, Version.PRESENT, right, COMPUTE_PAIR, MEMORY_PAIR);
        assertRefusedAtOnce(computeEnd, memoryEnd(right), "without Compute Node 5");
    }

    @Test
    void aNodeWithTooManyConnectionsIsRefusedByTheirNumber() {
        ComputeNodeHandshake computeEnd = computeEnd(right);
        MemoryNodeHandshake memoryEnd = memoryEnd(right);
        assertThat(prove(computeEnd, memoryEnd)).isEqualTo(MemoryNodeHandshake.Progress.PROVED);
        Handshake.Welcome refusal = Handshake.Welcome.refusal(RUN, Handshake.Answer.TOO_MANY);
        assertThatThrownBy(() -> end(computeEnd, memoryEnd.write(refusal, memory, 0)))
                .isInstanceOf(FabricException.class)
                .hasMessage("Memory Node 0 accepts no more connections of Compute Node 1, which has 1024");
    }

    @Test
    void aNodeWithAnotherSecretIsRefused() {
        ComputeNodeHandshake computeEnd = computeEnd(wrong);
        MemoryNodeHandshake memoryEnd = memoryEnd(right);
        assertThat(prove(computeEnd, memoryEnd)).isEqualTo(MemoryNodeHandshake.Progress.REFUSED);
        assertThatThrownBy(() -> end(computeEnd, memoryEnd.length()))
                .isInstanceOf(FabricException.class)
                .hasMessageContaining("must have the same contents on all nodes");
        assertThatThrownBy(() -> memoryEnd.receive(memory, Handshake.MAX_BYTES, 0))
                .as("no second attempt")
                .isInstanceOf(FabricException.class);
    }

    @Test
    void aMemoryNodeThatDoesNotProveItsMembershipIsRefused() {
        ComputeNodeHandshake computeEnd = computeEnd(right);
        computeEnd.begin(compute, 0);
        assertThatThrownBy(() -> end(computeEnd, WELCOME.writeTo(memory, 0, Version.PRESENT)))
                .as("without a challenge")
                .hasMessageContaining("has not proved");
        ComputeNodeHandshake other = computeEnd(right);
        MemoryNodeHandshake impostor = memoryEnd(wrong);
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
            ComputeNodeHandshake computeEnd = computeEnd(right);
            MemoryNodeHandshake memoryEnd = memoryEnd(right);
            prove(computeEnd, memoryEnd);
            int length = memoryEnd.write(WELCOME, memory, 0);
            memory.view(at, 1).put(0, (byte) ~memory.view(at, 1).get(0));
            assertThatThrownBy(
                            () -> assertThat(end(computeEnd, length).answer()).isNotEqualTo(Handshake.Answer.WELCOME))
                    .as("byte " + at)
                    .isInstanceOf(FabricException.class);
        }
    }

    @Test
    void aHelloOrAProofOfWhichAnyByteWasChangedProvesNothing() {
        for (int at = 0; at < Handshake.HELLO_BYTES; at++) {
            ComputeNodeHandshake computeEnd = computeEnd(right);
            MemoryNodeHandshake memoryEnd = memoryEnd(right);
            int length = computeEnd.begin(compute, 0);
            compute.view(at, 1).put(0, (byte) ~compute.view(at, 1).get(0));
            assertThat(isProvedAfter(computeEnd, memoryEnd, length))
                    .as("byte " + at)
                    .isFalse();
        }
        for (int at = 0; at < Handshake.PROOF_BYTES; at++) {
            ComputeNodeHandshake computeEnd = computeEnd(right);
            MemoryNodeHandshake memoryEnd = memoryEnd(right);
            toMemory(memoryEnd, computeEnd.begin(compute, 0));
            deliver(memory, compute, memoryEnd.length());
            int length = computeEnd.answer(compute, Handshake.MAX_BYTES, 0);
            compute.view(at, 1).put(0, (byte) ~compute.view(at, 1).get(0));
            boolean isPartOfTheSoftwaresName = at >= 16 && at < Preamble.BYTES;
            assertThat(isProved(memoryEnd, length) && !isPartOfTheSoftwaresName)
                    .as("byte " + at)
                    .isFalse();
        }
    }

    private boolean isProvedAfter(ComputeNodeHandshake computeEnd, MemoryNodeHandshake memoryEnd, int hello) {
        try {
            if (toMemory(memoryEnd, hello) != MemoryNodeHandshake.Progress.GOES_ON) {
                return false;
            }
            deliver(memory, compute, memoryEnd.length());
            return isProved(memoryEnd, computeEnd.answer(compute, Handshake.MAX_BYTES, 0));
        } catch (FabricException e) {
            return false;
        }
    }

    private boolean isProved(MemoryNodeHandshake memoryEnd, int proof) {
        try {
            return toMemory(memoryEnd, proof) == MemoryNodeHandshake.Progress.PROVED;
        } catch (FabricException e) {
            return false;
        }
    }

    @Test
    void aProofIsWorthNothingOnAnotherConnection() {
        ComputeNodeHandshake computeEnd = computeEnd(right);
        int hello = computeEnd.begin(compute, 0);
        byte[] recordedHello = Proof.copy(compute, 0, hello);
        MemoryNodeHandshake memoryEnd = memoryEnd(right);
        toMemory(memoryEnd, hello);
        deliver(memory, compute, memoryEnd.length());
        int proof = computeEnd.answer(compute, Handshake.MAX_BYTES, 0);
        byte[] recordedProof = Proof.copy(compute, 0, proof);
        assertThat(toMemory(memoryEnd, proof)).isEqualTo(MemoryNodeHandshake.Progress.PROVED);
        MemoryNodeHandshake[] others = {
            memoryEnd(right),
            memoryEnd(right, "c", 0, RUN + 1, MEMORY_PAIR, COMPUTE_PAIR),
            memoryEnd(right, "c", 0, RUN, MEMORY_PAIR + 1, COMPUTE_PAIR)
        };
        for (MemoryNodeHandshake other : others) {
            compute.view(0, hello).put(recordedHello);
            assertThat(toMemory(other, hello)).isEqualTo(MemoryNodeHandshake.Progress.GOES_ON);
            compute.view(0, proof).put(recordedProof);
            assertThat(toMemory(other, proof)).isEqualTo(MemoryNodeHandshake.Progress.REFUSED);
        }
    }

    @Test
    void messagesThatAnotherPassesOnThroughItsOwnQueuePairsProveNothing() {
        int stranger = 1234;
        ComputeNodeHandshake computeEnd =
                new ComputeNodeHandshake(HELLO, Version.PRESENT, right, COMPUTE_PAIR, stranger);
        MemoryNodeHandshake memoryEnd = memoryEnd(right, "c", 0, RUN, MEMORY_PAIR, stranger);
        assertThat(toMemory(memoryEnd, computeEnd.begin(compute, 0)))
                .as("the Memory Node compares the queue pair in the HELLO with the one at the other end")
                .isEqualTo(MemoryNodeHandshake.Progress.REFUSED);
        MemoryNodeHandshake deceived = memoryEnd(right);
        toMemory(deceived, computeEnd.begin(compute, 0));
        deliver(memory, compute, deceived.length());
        assertThatThrownBy(() -> computeEnd.answer(compute, Handshake.MAX_BYTES, 0))
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
