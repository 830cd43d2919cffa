package dev.remus.fabric.verbs;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.Incarnation;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.RemoteSegment;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * The messages that the two ends of a new connection exchange, little-endian. DiSNI does not expose a connection's
 * private data, so the messages go by SEND and RECV.
 *
 * <pre>
 *  HELLO                                   WELCOME                                   GOODBYE
 *    0  magic and version                    0  magic and version                      0  magic and version
 *    8  run of the Compute Node              8  run of the Memory Node
 *   16  Compute Node (int)                  16  answer (int)
 *   20  requested Memory Node (int)         20  how many segments (int)
 *   24  lane, below 0 for control (int)     24  size of each
 *   28  length of the cluster's name (int)  32  address of a word for {@link AtomicsCheck}
 *   32  the name, 64 bytes                 40  rkey of that word (int)
 *                                           48  for each segment:
 *                                                 0  address      8  rkey (int)
 * </pre>
 *
 * A <em>run</em> is the {@link Incarnation} of a node: a random number that distinguishes one start from the next.
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
        CUT_OFF
    }

    private static final long MAGIC = 0x72656D7573_03L << 16; // "remus", the version
    private static final long HELLO = MAGIC | 1;
    private static final long WELCOME = MAGIC | 2;
    private static final long GOODBYE = MAGIC | 3;

    private static final int NAME_BYTES = 64;
    private static final int NAME = 32;
    private static final int TEST_WORD = 32;
    private static final int SEGMENTS = 48;
    private static final int SEGMENT_BYTES = 16;

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

        /** Writes the message; returns its length. */
        int writeTo(LocalBuffer memory, long at) {
            byte[] name = cluster.getBytes(StandardCharsets.UTF_8);
            memory.putLong(at, HELLO);
            memory.putLong(at + 8, run);
            memory.view(at, NAME)
                    .putInt(16, computeNode)
                    .putInt(20, memoryNode)
                    .putInt(24, lane)
                    .putInt(28, name.length);
            memory.view(at + NAME, NAME_BYTES).put(name);
            return NAME + NAME_BYTES;
        }

        /** @throws FabricException if the message is no HELLO */
        static Hello readFrom(LocalBuffer memory, long at) {
            int lane = memory.view(at, NAME).getInt(24);
            int length = memory.view(at, NAME).getInt(28);
            if (memory.getLong(at) != HELLO || length < 0 || length > NAME_BYTES) {
                throw new FabricException(
                        "a connecting process does not use this version of the protocol of fabric verbs");
            }
            byte[] name = new byte[length];
            memory.view(at + NAME, NAME_BYTES).get(name);
            return new Hello(
                    memory.getLong(at + 8),
                    memory.view(at, NAME).getInt(16),
                    memory.view(at, NAME).getInt(20),
                    lane,
                    new String(name, StandardCharsets.UTF_8));
        }
    }

    /**
     * @param testWord the word for {@link AtomicsCheck}
     * @param segments those of the Memory Node; all have the same size
     */
    record Welcome(long run, Answer answer, RemoteSegment testWord, List<RemoteSegment> segments) {
        /** Writes the message; returns its length. */
        int writeTo(LocalBuffer memory, long at) {
            memory.putLong(at, WELCOME);
            memory.putLong(at + 8, run);
            memory.view(at, SEGMENTS).putInt(16, answer.ordinal()).putInt(20, segments.size());
            memory.putLong(at + 24, segments.isEmpty() ? 0 : segments.get(0).bytes());
            memory.putLong(at + TEST_WORD, testWord.address());
            memory.putLong(at + TEST_WORD + 8, testWord.rkey());
            long next = at + SEGMENTS;
            for (RemoteSegment segment : segments) {
                memory.putLong(next, segment.address());
                memory.view(next, SEGMENT_BYTES).putInt(8, segment.rkey());
                next += SEGMENT_BYTES;
            }
            return (int) (next - at);
        }

        /** @throws FabricException if the message is no WELCOME; the text names the Memory Node */
        static Welcome readFrom(LocalBuffer memory, long at, int memoryNode) {
            int answer = memory.view(at, SEGMENTS).getInt(16);
            int n = memory.view(at, SEGMENTS).getInt(20);
            if (memory.getLong(at) != WELCOME
                    || answer < 0
                    || answer >= ANSWERS.length
                    || n < 0
                    || n > (MAX_BYTES - SEGMENTS) / SEGMENT_BYTES) {
                throw new FabricException("Memory Node " + memoryNode
                        + " does not use this version of the protocol of fabric verbs: start all nodes from "
                        + "one build");
            }
            List<RemoteSegment> segments = new ArrayList<>();
            for (int i = 0; i < n; i++) {
                long next = at + SEGMENTS + (long) i * SEGMENT_BYTES;
                segments.add(new RemoteSegment(
                        memoryNode,
                        i,
                        memory.getLong(at + 24),
                        memory.getLong(next),
                        memory.view(next, SEGMENT_BYTES).getInt(8)));
            }
            RemoteSegment testWord = new RemoteSegment(memoryNode, 0, Long.BYTES, memory.getLong(at + TEST_WORD), (int)
                    memory.getLong(at + TEST_WORD + 8));
            return new Welcome(memory.getLong(at + 8), ANSWERS[answer], testWord, List.copyOf(segments));
        }
    }

    /** Writes the message; returns its length. */
    static int writeGoodbye(LocalBuffer memory, long at) {
        memory.putLong(at, GOODBYE);
        return Long.BYTES;
    }

    static boolean isGoodbye(LocalBuffer memory, long at) {
        return memory.getLong(at) == GOODBYE;
    }
}
