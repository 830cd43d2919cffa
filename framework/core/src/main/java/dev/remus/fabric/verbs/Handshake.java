package dev.remus.fabric.verbs;

import dev.remus.config.ClusterSettings;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Incarnation;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.RemoteSegment;
import dev.remus.fabric.Version;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * The messages that the two ends of a new connection exchange, little-endian. DiSNI does not expose a connection's
 * private data, so the messages go by SEND and RECV. Each begins with a {@link Preamble}.
 *
 * <pre>
 *  HELLO                                   WELCOME                                   GOODBYE
 *    0  preamble                             0  preamble                               0  preamble
 *   40  run of the Compute Node             40  run of the Memory Node
 *   48  Compute Node (int)                  48  answer (int)
 *   52  requested Memory Node (int)         52  how many segments (int)
 *   56  lane, below 0 for control (int)     56  size of each
 *   60  length of the cluster's name (int)  64  address of a word for {@link AtomicsCheck}
 *   64  the name, 64 bytes                  72  rkey of that word (int)
 *                                           80  for each segment:
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
        CUT_OFF,
        /** The Compute Node runs another version. */
        OTHER_VERSION
    }

    private static final int HELLO = 1;
    private static final int WELCOME = 2;
    private static final int GOODBYE = 3;

    private static final int RUN = Preamble.BYTES;
    private static final int NAME_BYTES = 64;
    private static final int NAME = 64;
    private static final int SIZE = 56;
    private static final int TEST_WORD = 64;
    private static final int SEGMENTS = 80;
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

        /** Writes the message; returns its length. */
        int writeTo(LocalBuffer memory, long at, Version version) {
            byte[] name = cluster.getBytes(StandardCharsets.UTF_8);
            Preamble.write(memory, at, version, HELLO);
            memory.putLong(at + RUN, run);
            memory.view(at, NAME)
                    .putInt(48, computeNode)
                    .putInt(52, memoryNode)
                    .putInt(56, lane)
                    .putInt(60, name.length);
            memory.view(at + NAME, NAME_BYTES).put(name);
            return NAME + NAME_BYTES;
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

    /** Writes the message; returns its length. */
    static int writeGoodbye(LocalBuffer memory, long at, Version version) {
        Preamble.write(memory, at, version, GOODBYE);
        return Preamble.BYTES;
    }

    static boolean isGoodbye(LocalBuffer memory, long at, Version own) {
        return Preamble.is(memory, at, own, GOODBYE);
    }
}
