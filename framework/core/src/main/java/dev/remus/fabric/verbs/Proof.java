// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.fabric.ClusterSecret;
import dev.remus.fabric.LocalBuffer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

/**
 * How the two ends of a connection prove to each other that they have the secret of the cluster: each signs the HELLO
 * and the CHALLENGE, which hold a random number and the number of a queue pair of each end, beside their runs, ids and
 * the name of the cluster.
 *
 * <p>So a proof is worth nothing on another connection: neither later, nor through a peer that passes on messages
 * between two queue pairs of its own. The Memory Node also signs the addresses and keys that it offers.
 */
final class Proof {
    /** The length of a random number. */
    static final int NONCE_BYTES = 32;

    private static final String COMPUTE_NODE = "remus: a Compute Node proves its membership\n";
    private static final String MEMORY_NODE = "remus: a Memory Node proves its membership and its offer\n";

    private static final SecureRandom RANDOM = new SecureRandom();

    private final ClusterSecret secret;
    private final byte[] hello;
    private final byte[] challenge;

    /** @param hello the whole message as it was sent, as is the challenge */
    Proof(ClusterSecret secret, byte[] hello, byte[] challenge) {
        this.secret = secret;
        this.hello = hello.clone();
        this.challenge = challenge.clone();
    }

    /** A random number that no other connection has. */
    static byte[] newNonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        return nonce;
    }

    /** Copies a message. */
    static byte[] copy(LocalBuffer memory, long at, int length) {
        byte[] bytes = new byte[length];
        memory.view(at, length).get(bytes);
        return bytes;
    }

    /** The signature of the Compute Node. */
    byte[] ofComputeNode() {
        return secret.sign(text(COMPUTE_NODE, new byte[0]));
    }

    boolean isOfComputeNode(byte[] signature) {
        return secret.signed(text(COMPUTE_NODE, new byte[0]), signature);
    }

    /** The signature of the Memory Node, under its WELCOME without a signature. */
    byte[] ofMemoryNode(byte[] welcome) {
        return secret.sign(text(MEMORY_NODE, welcome));
    }

    boolean isOfMemoryNode(byte[] welcome, byte[] signature) {
        return secret.signed(text(MEMORY_NODE, welcome), signature);
    }

    /** Hello and challenge have fixed lengths, so different messages give different texts. */
    private byte[] text(String signer, byte[] more) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        text.writeBytes(signer.getBytes(StandardCharsets.US_ASCII));
        text.writeBytes(hello);
        text.writeBytes(challenge);
        text.writeBytes(more);
        return text.toByteArray();
    }
}
