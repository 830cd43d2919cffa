// SPDX-License-Identifier: Apache-2.0
package dev.remus.verify;

import dev.remus.fabric.LocalBuffer;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Brings the logs of all threads of a cluster to the thread with id 0, through 8 KiB of remote memory, and compares the
 * clocks of their machines. It works on any fabric, and needs no files.
 *
 * <pre>
 *   word 0         the request of the thread with id 0: number, thread, what is asked
 *   word 1         the answer, a reading of the clock
 *   word 2         how often the buffer was filled or emptied: even means empty, odd full
 *   word 3         the id of the thread that may fill it
 *   word 4..       words that follow, words still to come, withdrawn operations; then words of the log
 * </pre>
 *
 * <p><b>Clocks.</b> Processes of one machine have the same clock. From every other machine the thread with id 0 asks
 * for readings, several times before the run and after it. A reading was taken between the question and the answer, so
 * half the shortest round trip bounds the error. Between the two measurements, the difference of two clocks is taken to
 * stay within both, widened by as much as they differ: clocks drift by some millionths, and nothing sets this clock.
 */
public final class LogExchange extends RemoteRecord {
    private static final int HEADER = 3;
    private static final int DATA = 1000;
    private static final int LEAD = 0;
    private static final int ROUNDS = 16;

    /** So many polls follow each other without a pause, which would count as a part of the round trip. */
    private static final int EAGER_POLLS = 200;

    private static final long NO_ANSWER = Long.MIN_VALUE;
    private static final int THREAD_SHIFT = 2;
    private static final int NUMBER_SHIFT = 32;
    private static final long ASKED = (1L << THREAD_SHIFT) - 1;
    private static final long IDENTITY = 1;
    private static final long READING = 2;
    private static final long DONE = 3;

    private final RemoteLong request = longField();
    private final RemoteLong answer = longField();
    private final RemoteLong transfers = longField();
    private final RemoteLong turn = longField();
    private final RemoteLongArray buffer = longArrayField(HEADER + DATA);

    private final NodeClock clock;
    private final Map<Integer, ClockBounds> atBegin = new HashMap<>();
    private long requests;
    private long served;
    private @Nullable LocalBuffer local;

    /** A handle that points to no object yet. Each thread needs its own. */
    public LogExchange() {
        this(NodeClock.HERE);
    }

    LogExchange(NodeClock clock) {
        this.clock = clock;
    }

    /** Makes an exchange in remote memory, on the thread with id 0. */
    public void create(ComputeThread ct) {
        allocate(ct);
        request.store(0, ct);
        answer.store(NO_ANSWER, ct);
        transfers.store(0, ct);
        turn.store(LEAD + 1L, ct);
    }

    /** Compares the clocks. All threads must call it before the first operation that they record. */
    public void begin(ComputeThread ct) {
        if (ct.id() == LEAD) {
            atBegin.putAll(compareClocks(ct));
        } else if (answersForItsNode(ct)) {
            serve(ct);
        }
    }

    /**
     * Compares the clocks once more, and collects the logs. All threads must call it after the last operation that they
     * record.
     *
     * @return the run on the thread with id 0; empty on all others
     */
    public Optional<RecordedRun> collect(OperationLog own, ComputeThread ct) {
        if (ct.id() != LEAD) {
            if (answersForItsNode(ct)) {
                serve(ct);
            }
            send(own, ct);
            return Optional.empty();
        }
        Map<Integer, ClockBounds> atEnd = compareClocks(ct);
        List<RecordedRun.Part> parts = new ArrayList<>();
        parts.add(new RecordedRun.Part(LEAD, words(own), own.withdrawn(), ClockBounds.SAME));
        long seen = 0;
        for (int thread = LEAD + 1; thread < ct.threads(); thread++) {
            int first = firstOfNode(thread, ct);
            ClockBounds bounds =
                    atBegin.getOrDefault(first, ClockBounds.SAME).until(atEnd.getOrDefault(first, ClockBounds.SAME));
            seen = receive(thread, seen, bounds, parts, ct);
        }
        return Optional.of(RecordedRun.ofParts(parts));
    }

    private static long[] words(OperationLog log) {
        long[] words = new long[log.words()];
        for (int i = 0; i < words.length; i++) {
            words[i] = log.word(i);
        }
        return words;
    }

    // ------------------------------------------------------------------------------------------------ clocks

    private static int firstOfNode(int thread, ComputeThread ct) {
        return thread - thread % ct.config().threadsPerNode();
    }

    private static boolean answersForItsNode(ComputeThread ct) {
        return ct.index() == 0;
    }

    /** The clocks of the nodes, by the ids of their first threads, without this node's. */
    private Map<Integer, ClockBounds> compareClocks(ComputeThread ct) {
        Map<Integer, ClockBounds> clocks = new HashMap<>();
        int step = ct.config().threadsPerNode();
        for (int thread = step; thread < ct.threads(); thread += step) {
            ClockBounds bounds = ClockBounds.SAME;
            if (ask(thread, IDENTITY, ct) != clock.identity()) {
                bounds = reading(thread, ct);
                for (int round = 1; round < ROUNDS; round++) {
                    bounds = bounds.tighter(reading(thread, ct));
                }
            }
            clocks.put(thread, bounds);
            request.store(requestTo(thread, DONE), ct);
        }
        return clocks;
    }

    private ClockBounds reading(int thread, ComputeThread ct) {
        answer.store(NO_ANSWER, ct);
        long before = clock.nanoTime();
        long reading = await(thread, requestTo(thread, READING), ct);
        return ClockBounds.of(before, reading, clock.nanoTime());
    }

    private long ask(int thread, long what, ComputeThread ct) {
        answer.store(NO_ANSWER, ct);
        return await(thread, requestTo(thread, what), ct);
    }

    private long await(int thread, long words, ComputeThread ct) {
        request.store(words, ct);
        long reply = answer.load(ct);
        for (int polls = 0; reply == NO_ANSWER; polls++) {
            pause(polls, thread, ct);
            reply = answer.load(ct);
        }
        return reply;
    }

    private long requestTo(int thread, long what) {
        return ++requests << NUMBER_SHIFT | (long) thread << THREAD_SHIFT | what;
    }

    /** Answers for this thread's node, until the thread with id 0 has asked enough. */
    private void serve(ComputeThread ct) {
        while (true) {
            long asked = request.load(ct);
            for (int polls = 0; !isNew(asked, ct); polls++) {
                pause(polls, LEAD, ct);
                asked = request.load(ct);
            }
            served = asked;
            if ((asked & ASKED) == DONE) {
                return;
            }
            answer.store((asked & ASKED) == IDENTITY ? clock.identity() : clock.nanoTime(), ct);
        }
    }

    private boolean isNew(long asked, ComputeThread ct) {
        boolean isForThis = (int) asked >>> THREAD_SHIFT == ct.id();
        return isForThis && asked >>> NUMBER_SHIFT > served >>> NUMBER_SHIFT;
    }

    private static void pause(int polls, int thread, ComputeThread ct) {
        if (polls >= EAGER_POLLS) {
            ct.pauseFor(thread);
        }
    }

    // -------------------------------------------------------------------------------------------------- logs

    private LocalBuffer local(ComputeThread ct) {
        LocalBuffer kept = local;
        if (kept == null) {
            kept = ct.allocateLocal((long) (HEADER + DATA) * Long.BYTES);
            local = kept;
        }
        return kept;
    }

    private void send(OperationLog own, ComputeThread ct) {
        LocalBuffer message = local(ct);
        await(turn, ct.id(), LEAD, ct);
        int sent = 0;
        do {
            int count = Math.min(DATA, own.words() - sent);
            message.putLong(0, count);
            message.putLong(Long.BYTES, own.words() - sent - count);
            message.putLong(2L * Long.BYTES, own.withdrawn());
            for (int i = 0; i < count; i++) {
                message.putLong((long) (HEADER + i) * Long.BYTES, own.word(sent + i));
            }
            ct.write(buffer.pointer(0), message, 0, (HEADER + count) * Long.BYTES);
            long full = transfers.fetchAdd(1, ct) + 1;
            await(transfers, full + 1, LEAD, ct);
            sent += count;
        } while (sent < own.words());
        turn.fetchAdd(1, ct);
    }

    /** @return how often the buffer has been filled or emptied */
    private long receive(
            int thread, long seenBefore, ClockBounds bounds, List<RecordedRun.Part> parts, ComputeThread ct) {
        LocalBuffer message = local(ct);
        long[] words = {};
        long seen = seenBefore;
        int received = 0;
        do {
            await(transfers, ++seen, thread, ct);
            ct.read(buffer.pointer(0), message, 0, (HEADER + DATA) * Long.BYTES);
            int count = (int) message.getLong(0);
            if (received == 0) {
                words = new long[count + (int) message.getLong(Long.BYTES)];
            }
            for (int i = 0; i < count; i++) {
                words[received + i] = message.getLong((long) (HEADER + i) * Long.BYTES);
            }
            received += count;
            seen = transfers.fetchAdd(1, ct) + 1;
        } while (received < words.length);
        parts.add(new RecordedRun.Part(thread, words, message.getLong(2L * Long.BYTES), bounds));
        return seen;
    }

    /** Waits until another thread has set a word to a value. */
    private static void await(RemoteLong word, long expected, int thread, ComputeThread ct) {
        while (word.load(ct) != expected) {
            ct.pauseFor(thread);
        }
    }
}
