// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.config.ClusterSettings;
import dev.remus.fabric.ClusterSecret;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Incarnation;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.RemoteSegment;
import dev.remus.fabric.Version;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The messages that the two ends of a new connection exchange, little-endian. DiSNI does not expose a connection's
 * private data, so the messages go by SEND and RECV. Each begins with a {@link Preamble}.
 *
 * <pre>
 *  HELLO                                   CHALLENGE                     PROOF                    GOODBYE
 *    0  preamble                             0  preamble                   0  preamble              0  preamble
 *   40  run of the Compute Node             40  run of the Memory Node    40  signature, 32 bytes
 *   48  Compute Node (int)                  48  its queue pair (int)
 *   52  requested Memory Node (int)         56  random, 32 bytes
 *   56  lane, below 0 for control (int)
 *   60  length of the cluster's name (int)  WELCOME
 *   64  the name, 64 bytes                    0  preamble
 *  128  1 if it has a secret (int)           40  run of the Memory Node
 *  132  its queue pair (int)                 48  answer (int)
 *  136  random, 32 bytes                     52  how many segments (int)
 *                                            56  size of each
 *                                            64  address of a word for {@link AtomicsCheck}
 *                                            72  rkey of that word (int)
 *                                            80  signature, 32 bytes
 *                                           112  for each segment: 0 address, 8 rkey (int)
 * </pre>
 *
 * <p>Without a secret of the cluster, a WELCOME follows the HELLO, and signatures are 0. With one, the Memory Node
 * answers by a CHALLENGE, and does nothing else for the other end before it has its {@link Proof}. {@link
 * MemoryNodeHandshake} is the Memory Node's part, {@link ComputeNodeHandshake} that of the Compute Node.
 *
 * <p>A <em>run</em> is the {@link Incarnation} of a node: a random number that distinguishes one start from the next.
 */
final class Handshake {
    /** Enough for the longest message. */
    static final int MAX_BYTES = 2048;

    /** The answer of a Memory Node to a HELLO. */
    enum Answer {
        WELCOME,
        /** Another run of the Compute Node is connected. */
        ID_TAKEN,
        /** Another cluster, or another Memory Node of it, is at this address. */
        NOT_HERE,
        /** This run of the Compute Node is lost, and was cut off. */
        CUT_OFF,
        /** The Compute Node runs another version. */
        OTHER_VERSION,
        /** The cluster has a secret, and the Compute Node was started without one. */
        NEEDS_SECRET,
        /** The Compute Node was started with a secret, and the Memory Node without one. */
        HAS_NO_SECRET,
        /** The Compute Node has another secret. */
        WRONG_SECRET,
        /** The cluster has no such Compute Node. */
        NO_SUCH_NODE,
        /** The Compute Node has too many connections. */
        TOO_MANY
    }

    private static final int HELLO = 1;
    private static final int WELCOME = 2;
    private static final int GOODBYE = 3;
    private static final int CHALLENGE = 4;
    private static final int PROOF = 5;

    /** The length of a HELLO. */
    static final int HELLO_BYTES = 168;

    /** The length of a CHALLENGE. */
    static final int CHALLENGE_BYTES = 88;

    /** The length of a PROOF. */
    static final int PROOF_BYTES = Preamble.BYTES + ClusterSecret.SIGNATURE_BYTES;

    private static final int HAS_SECRET = 128;
    private static final int HELLO_PAIR = 132;
    private static final int HELLO_NONCE = 136;
    private static final int CHALLENGE_PAIR = 48;
    private static final int CHALLENGE_NONCE = 56;
    private static final int SIGNATURE = 80;

    private static final int RUN = Preamble.BYTES;
    private static final int NAME_BYTES = 64;
    private static final int NAME = 64;
    private static final int SIZE = 56;
    private static final int TEST_WORD = 64;
    private static final int SEGMENTS = 112;
    private static final int SEGMENT_BYTES = 16;

    private static final RemoteSegment NOTHING = new RemoteSegment(0, 0, Long.BYTES, 0, 0);

    private static final Answer[] ANSWERS = Answer.values();

    private static final SecureRandom RANDOM = new SecureRandom();

    private Handshake() {}

    /** A random number for a new run. */
    static long newRun() {
        return Incarnation.next(RANDOM);
    }

    /** @param lane which lane of the run it is, or {@link #control} */
    record Hello(long run, int computeNode, int memoryNode, int lane, String cluster) {
        /**
         * In place of a lane: the connection by which a link detects the end of the other node.
         *
         * @param link the number of the link within the run, from 0
         */
        static int control(int link) {
            return -1 - link;
        }

        /** Whether a {@link #lane} is a {@link #control}. */
        static boolean isControl(int lane) {
            return lane < 0;
        }

        boolean isControl() {
            return isControl(lane);
        }

        /** Whether this connection takes the place of an earlier one. */
        boolean replaces(Hello earlier) {
            return run == earlier.run && lane == earlier.lane;
        }

        /** Writes the message, with a new random number; returns its length. */
        int writeTo(LocalBuffer memory, long at, Version version, boolean hasSecret, int queuePair) {
            byte[] name = cluster.getBytes(StandardCharsets.UTF_8);
            Preamble.write(memory, at, version, HELLO);
            memory.putLong(at + RUN, run);
            memory.view(at, NAME)
                    .putInt(48, computeNode)
                    .putInt(52, memoryNode)
                    .putInt(56, lane)
                    .putInt(60, name.length);
            memory.view(at + NAME, NAME_BYTES).put(new byte[NAME_BYTES]);
            memory.view(at + NAME, NAME_BYTES).put(name);
            memory.view(at, HELLO_BYTES).putInt(HAS_SECRET, hasSecret ? 1 : 0).putInt(HELLO_PAIR, queuePair);
            memory.view(at + HELLO_NONCE, Proof.NONCE_BYTES).put(Proof.newNonce());
            return HELLO_BYTES;
        }

        /** Whether the Compute Node that has sent a HELLO has a secret. */
        static boolean hasSecret(LocalBuffer memory, long at) {
            return memory.view(at, HELLO_BYTES).getInt(HAS_SECRET) != 0;
        }

        /** The number of the queue pair through which a HELLO was sent. */
        static int queuePair(LocalBuffer memory, long at) {
            return memory.view(at, HELLO_BYTES).getInt(HELLO_PAIR);
        }

        /**
         * @throws Preamble.OtherVersionException if the Compute Node runs a version that does not fit
         * @throws FabricException if the message is no HELLO
         */
        static Hello readFrom(LocalBuffer memory, long at, Version own) {
            Preamble.check(memory, at, own, HELLO, "a connecting process");
            int length = memory.view(at, NAME).getInt(60);
            if (length < 0 || length > NAME_BYTES) {
                throw new FabricException("a connecting process has sent an invalid HELLO");
            }
            byte[] name = new byte[length];
            memory.view(at + NAME, NAME_BYTES).get(name);
            return new Hello(
                    memory.getLong(at + RUN),
                    memory.view(at, NAME).getInt(48),
                    memory.view(at, NAME).getInt(52),
                    memory.view(at, NAME).getInt(56),
                    new String(name, StandardCharsets.UTF_8));
        }
    }

    /**
     * @param testWord the word for {@link AtomicsCheck}
     * @param segments those of the Memory Node; all have the same size
     */
    record Welcome(long run, Answer answer, RemoteSegment testWord, List<RemoteSegment> segments) {
        /** An answer that offers nothing. */
        static Welcome refusal(long run, Answer answer) {
            return new Welcome(run, answer, NOTHING, List.of());
        }

        /** Writes the message; returns its length. */
        int writeTo(LocalBuffer memory, long at, Version version) {
            Preamble.write(memory, at, version, WELCOME);
            memory.putLong(at + RUN, run);
            memory.view(at, SEGMENTS).putInt(48, answer.ordinal()).putInt(52, segments.size());
            memory.putLong(at + SIZE, segments.isEmpty() ? 0 : segments.get(0).bytes());
            memory.putLong(at + TEST_WORD, testWord.address());
            memory.putLong(at + TEST_WORD + 8, testWord.rkey());
            memory.view(at + SIGNATURE, ClusterSecret.SIGNATURE_BYTES).put(new byte[ClusterSecret.SIGNATURE_BYTES]);
            long next = at + SEGMENTS;
            for (RemoteSegment segment : segments) {
                memory.putLong(next, segment.address());
                memory.view(next, SEGMENT_BYTES).putInt(8, segment.rkey());
                next += SEGMENT_BYTES;
            }
            return (int) (next - at);
        }

        /**
         * @throws Preamble.OtherVersionException if the Memory Node runs a version that does not fit
         * @throws FabricException if the message is no WELCOME; the text names the Memory Node
         */
        static Welcome readFrom(LocalBuffer memory, long at, int memoryNode, Version own) {
            Preamble.check(memory, at, own, WELCOME, "Memory Node " + memoryNode);
            int answer = memory.view(at, SEGMENTS).getInt(48);
            int n = memory.view(at, SEGMENTS).getInt(52);
            if (answer < 0 || answer >= ANSWERS.length || n < 0 || n > ClusterSettings.MAX_SEGMENTS_PER_NODE) {
                throw new FabricException("Memory Node " + memoryNode + " has sent an invalid WELCOME");
            }
            List<RemoteSegment> segments = new ArrayList<>();
            for (int i = 0; i < n; i++) {
                long next = at + SEGMENTS + (long) i * SEGMENT_BYTES;
                segments.add(new RemoteSegment(
                        memoryNode,
                        i,
                        memory.getLong(at + SIZE),
                        memory.getLong(next),
                        memory.view(next, SEGMENT_BYTES).getInt(8)));
            }
            RemoteSegment testWord = new RemoteSegment(memoryNode, 0, Long.BYTES, memory.getLong(at + TEST_WORD), (int)
                    memory.getLong(at + TEST_WORD + 8));
            return new Welcome(memory.getLong(at + RUN), ANSWERS[answer], testWord, List.copyOf(segments));
        }
    }

    /** Writes a CHALLENGE, with a new random number; returns its length. */
    static int writeChallenge(LocalBuffer memory, long at, Version version, long run, int queuePair) {
        Preamble.write(memory, at, version, CHALLENGE);
        memory.putLong(at + RUN, run);
        memory.putLong(at + CHALLENGE_PAIR, queuePair);
        memory.view(at + CHALLENGE_NONCE, Proof.NONCE_BYTES).put(Proof.newNonce());
        return CHALLENGE_BYTES;
    }

    static boolean isChallenge(LocalBuffer memory, long at, Version own) {
        return Preamble.is(memory, at, own, CHALLENGE);
    }

    /** The number of the queue pair through which a CHALLENGE was sent. */
    static int queuePairOfChallenge(LocalBuffer memory, long at) {
        return memory.view(at, CHALLENGE_BYTES).getInt(CHALLENGE_PAIR);
    }

    /** Writes a PROOF; returns its length. */
    static int writeProof(LocalBuffer memory, long at, Version version, byte[] signature) {
        Preamble.write(memory, at, version, PROOF);
        memory.view(at + Preamble.BYTES, ClusterSecret.SIGNATURE_BYTES).put(signature);
        return PROOF_BYTES;
    }

    /** @throws FabricException if the message is no PROOF */
    static byte[] readProof(LocalBuffer memory, long at, Version own) {
        Preamble.check(memory, at, own, PROOF, "a connecting process");
        return Proof.copy(memory, at + Preamble.BYTES, ClusterSecret.SIGNATURE_BYTES);
    }

    /** Signs a WELCOME of this length. */
    static void sign(LocalBuffer memory, long at, int length, Proof proof) {
        byte[] signature = proof.ofMemoryNode(Proof.copy(memory, at, length));
        memory.view(at + SIGNATURE, ClusterSecret.SIGNATURE_BYTES).put(signature);
    }

    /** Whether a WELCOME with so many segments is signed. */
    static boolean isSigned(LocalBuffer memory, long at, int segments, Proof proof) {
        byte[] welcome = Proof.copy(memory, at, SEGMENTS + segments * SEGMENT_BYTES);
        byte[] signature = Arrays.copyOfRange(welcome, SIGNATURE, SEGMENTS);
        Arrays.fill(welcome, SIGNATURE, SEGMENTS, (byte) 0);
        return proof.isOfMemoryNode(welcome, signature);
    }

    /** Writes the message; returns its length. */
    static int writeGoodbye(LocalBuffer memory, long at, Version version) {
        Preamble.write(memory, at, version, GOODBYE);
        return Preamble.BYTES;
    }

    static boolean isGoodbye(LocalBuffer memory, long at, Version own) {
        return Preamble.is(memory, at, own, GOODBYE);
    }
}
