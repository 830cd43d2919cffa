// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.config.ClusterSettings;
import dev.remus.fabric.ClusterSecret;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.Version;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A Compute Node's part in the handshake of one connection. Holds no connection, so any message can be tried on it.
 */
final class ComputeNodeHandshake {
    private static final String OPTION = ClusterSettings.CLUSTER_SECRET.names();

    private final Handshake.Hello hello;
    private final Version version;
    private final Optional<ClusterSecret> secret;
    private final int own;
    private final int peer;
    private byte[] sent = {};
    private @Nullable Proof proof;

    /**
     * @param own the number of this end's queue pair
     * @param peer that of the other end's, as the device knows it
     */
    ComputeNodeHandshake(Handshake.Hello hello, Version version, Optional<ClusterSecret> secret, int own, int peer) {
        this.hello = hello;
        this.version = version;
        this.secret = secret;
        this.own = own;
        this.peer = peer;
    }

    /** Writes the first message; returns its length. */
    int begin(LocalBuffer memory, long out) {
        int length = hello.writeTo(memory, out, version, secret.isPresent(), own);
        sent = Proof.copy(memory, out, length);
        return length;
    }

    /**
     * Answers a CHALLENGE.
     *
     * @return the length of the answer; 0 if the message is something else, perhaps a WELCOME
     * @throws FabricException if the challenge is not for this connection
     */
    int answer(LocalBuffer memory, long in, long out) {
        if (secret.isEmpty() || proof != null || !Handshake.isChallenge(memory, in, version)) {
            return 0;
        }
        if (Handshake.queuePairOfChallenge(memory, in) != peer) {
            throw new FabricException(memoryNode() + " has sent a challenge from another connection");
        }
        proof = new Proof(secret.get(), sent, Proof.copy(memory, in, Handshake.CHALLENGE_BYTES));
        return Handshake.writeProof(memory, out, version, proof.ofComputeNode());
    }

    /**
     * Reads the last message.
     *
     * @return a WELCOME, or a refusal that may be another one later
     * @throws FabricException if the Memory Node has not proved that it belongs to the cluster, or refuses this node
     *     for good, or if the message is something else
     */
    Handshake.Welcome end(LocalBuffer memory, long in) {
        Handshake.Welcome welcome = Handshake.Welcome.readFrom(memory, in, hello.memoryNode(), version);
        switch (welcome.answer()) {
            case WELCOME -> checkSignature(memory, in, welcome);
            case OTHER_VERSION -> throw new FabricException(memoryNode() + " refuses the version of this node");
            case NEEDS_SECRET ->
                throw new FabricException(memoryNode() + " was started with " + OPTION
                        + ", this node without. All nodes of a cluster need the same secret");
            case HAS_NO_SECRET ->
                throw new FabricException(memoryNode() + " was started without " + OPTION
                        + ", this node with it. All nodes of a cluster need the same secret");
            case WRONG_SECRET ->
                throw new FabricException(memoryNode() + " has another secret than this node: the file of " + OPTION
                        + " must have the same contents on all nodes");
            case NO_SUCH_NODE ->
                throw new FabricException(memoryNode() + " has a cluster without Compute Node " + hello.computeNode()
                        + ": the ids of nodes must be the same on all nodes");
            case TOO_MANY ->
                throw new FabricException(memoryNode() + " accepts no more connections of Compute Node "
                        + hello.computeNode() + ", which has " + ConnectedNodes.MOST_CONNECTIONS);
            case ID_TAKEN, NOT_HERE, CUT_OFF -> {
                // the caller decides
            }
        }
        return welcome;
    }

    private void checkSignature(LocalBuffer memory, long in, Handshake.Welcome welcome) {
        boolean isProved = secret.isEmpty()
                || proof != null
                        && Handshake.isSigned(memory, in, welcome.segments().size(), proof);
        if (!isProved) {
            throw new FabricException(memoryNode() + " has not proved that it has the secret of this node (" + OPTION
                    + "), so nothing is sent to it");
        }
    }

    private String memoryNode() {
        return "Memory Node " + hello.memoryNode();
    }
}
