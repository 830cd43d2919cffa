// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.ClusterSecret;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.Version;
import dev.remus.logging.Loggers;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A Memory Node's part in the handshake of one connection: what it answers to each message. Holds no connection, so any
 * message can be tried on it.
 */
final class MemoryNodeHandshake {
    private static final Logger LOG = Loggers.of(MemoryNodeHandshake.class);

    /** The result of a message. */
    enum Progress {
        /** There is an answer to send, and the peer must send another message. */
        GOES_ON,
        /** There is an answer to send, which is the last. */
        REFUSED,
        /** The peer has proved its membership, or need not. It may be welcomed. */
        PROVED
    }

    /** What a Memory Node requires of all peers. It reports the first few reasons for which it refuses some. */
    static final class Requirements {
        private static final int MOST_REPORTS = 8;

        private final ClusterConfig config;
        private final int node;
        private final long run;
        private final Version version;
        private final Optional<ClusterSecret> secret;
        private final Set<String> reported = new HashSet<>();

        Requirements(ClusterConfig config, int node, long run, Version version, Optional<ClusterSecret> secret) {
            this.config = config;
            this.node = node;
            this.run = run;
            this.version = version;
            this.secret = secret;
        }

        private synchronized void report(String reason) {
            if (reported.size() < MOST_REPORTS && reported.add(reason)) {
                LOG.warn("Memory Node {}: {}", node, reason);
            }
        }
    }

    private final Requirements requirements;
    private final int own;
    private final int peer;
    private Handshake.@Nullable Hello hello;
    private @Nullable Proof proof;
    private boolean isOver;
    private int length;

    /**
     * @param own the number of this end's queue pair
     * @param peer that of the other end's, as the device knows it
     */
    MemoryNodeHandshake(Requirements requirements, int own, int peer) {
        this.requirements = requirements;
        this.own = own;
        this.peer = peer;
    }

    /**
     * Takes the next message of the peer, and writes the answer, if there is one.
     *
     * @param in where the message is
     * @param out where to write the answer
     * @throws FabricException if the message is none that a peer sends at this point
     */
    Progress receive(LocalBuffer memory, long in, long out) {
        if (isOver) {
            throw new FabricException("a connecting process has sent a message too many");
        }
        Progress progress = hello == null ? receiveHello(memory, in, out) : receiveProof(memory, in, out);
        isOver = progress != Progress.GOES_ON;
        return progress;
    }

    private Progress receiveHello(LocalBuffer memory, long in, long out) {
        Handshake.Hello received;
        try {
            received = Handshake.Hello.readFrom(memory, in, requirements.version);
        } catch (Preamble.OtherVersionException e) {
            requirements.report(String.valueOf(e.getMessage()));
            return refuse(Handshake.Answer.OTHER_VERSION, memory, out);
        }
        hello = received;
        if (received.memoryNode() != requirements.node || !received.cluster().equals(requirements.config.cluster())) {
            return refuse(Handshake.Answer.NOT_HERE, memory, out);
        }
        if (!requirements.config.isComputeNode(received.computeNode())) {
            return refuse(Handshake.Answer.NO_SUCH_NODE, memory, out);
        }
        boolean hasSecret = Handshake.Hello.hasSecret(memory, in);
        if (hasSecret && requirements.secret.isEmpty()) {
            return refuse(Handshake.Answer.HAS_NO_SECRET, memory, out);
        }
        if (requirements.secret.isEmpty()) {
            return Progress.PROVED;
        }
        if (!hasSecret) {
            return refuse(Handshake.Answer.NEEDS_SECRET, memory, out);
        }
        if (Handshake.Hello.queuePair(memory, in) != peer) {
            return refuse(Handshake.Answer.WRONG_SECRET, memory, out); // another has passed it on
        }
        byte[] helloBytes = Proof.copy(memory, in, Handshake.HELLO_BYTES);
        length = Handshake.writeChallenge(memory, out, requirements.version, requirements.run, own);
        proof = new Proof(requirements.secret.get(), helloBytes, Proof.copy(memory, out, length));
        return Progress.GOES_ON;
    }

    private Progress receiveProof(LocalBuffer memory, long in, long out) {
        byte[] signature = Handshake.readProof(memory, in, requirements.version);
        if (Objects.requireNonNull(proof).isOfComputeNode(signature)) {
            return Progress.PROVED;
        }
        requirements.report("a process that connects as Compute Node " + hello().computeNode() + " has another secret");
        return refuse(Handshake.Answer.WRONG_SECRET, memory, out);
    }

    private Progress refuse(Handshake.Answer answer, LocalBuffer memory, long out) {
        length = Handshake.Welcome.refusal(requirements.run, answer).writeTo(memory, out, requirements.version);
        return Progress.REFUSED;
    }

    /** The length of the answer. */
    int length() {
        return length;
    }

    /** The peer; only once it has proved its membership. */
    Handshake.Hello hello() {
        return Objects.requireNonNull(hello, "a peer has not sent its HELLO");
    }

    /** Writes the answer to a peer that has proved its membership; returns its length. */
    int write(Handshake.Welcome welcome, LocalBuffer memory, long out) {
        length = welcome.writeTo(memory, out, requirements.version);
        if (proof != null) {
            Handshake.sign(memory, out, length, proof);
        }
        return length;
    }
}
