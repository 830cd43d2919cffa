// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CostModel;
import dev.remus.fabric.LocalCost;
import dev.remus.fabric.Operation;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Tracks until when each card and word is busy, according to a {@link CostModel}. */
final class Timing {
    private static final double NANOS = 1e9;

    /** A reading of the clock, where an operation takes microseconds. */
    private static final long CLOCK_NANOS = 25;

    private static final long PAUSE_NANOS = 500;
    private static final int LONGEST_PAUSE_LOG2 = 7;

    /** A waiting thread polls again after 64 microseconds at most. */
    private static final long LONGEST_PAUSE_NANOS = PAUSE_NANOS << LONGEST_PAUSE_LOG2;

    /** How often a waiting thread polls without backing off, where {@link LocalCost} applies. */
    private static final int SPINS = 64;

    private final CostModel model;

    /** By node: a node's Memory Node and Compute Node share a card. */
    private final Map<Integer, Card> cards = new TreeMap<>();

    /** The time from which {@code busy} is counted. */
    private long countedSince;

    Timing(CostModel model) {
        this.model = model;
    }

    /** The state of one card. */
    private static final class Card {
        private long freeToSend;
        private long freeToReceive;
        private long freeForAtomic;
        private long busy;
        private long busyWithAtomics;
        private final Map<Long, Word> words = new HashMap<>();
    }

    /** A word on which there are atomics. */
    private static final class Word {
        private long free;
        private long busy;
    }

    /** When request {@code i} of a chain that is posted now is executed, behind all earlier requests. */
    long due(Chain chain, int i, int from, int to, long now) {
        Operation operation = chain.operation(i);
        if (isLocal(from, to)) {
            return localDue(chain, i, to, now);
        }
        Card sender = cards.computeIfAbsent(from, node -> new Card());
        Card receiver = cards.computeIfAbsent(to, node -> new Card());
        long leaves = Math.max(now, sender.freeToSend);
        sender.freeToSend = leaves + model.gap();
        long message = Math.max(model.gap(), Math.round(chain.length(i) * NANOS / model.bytesPerSecond()));
        long start = Math.max(leaves + latency(operation, false) / 2, receiver.freeToReceive);
        receiver.freeToReceive = start + message;
        receiver.busy += message;
        if (operation == Operation.READ || operation == Operation.WRITE) {
            return start;
        }
        long begun = Math.max(start, receiver.freeForAtomic);
        receiver.freeForAtomic = begun + model.atomicGap(); // while it waits for its word, others begin
        receiver.busyWithAtomics += model.atomicGap();
        Word word = word(chain, i, receiver);
        long executed = Math.max(begun, word.free);
        word.free = executed + model.addressGap();
        word.busy += model.addressGap();
        return executed;
    }

    /** When a request to the node's own memory is executed if it does not go through the card. */
    private long localDue(Chain chain, int i, int node, long now) {
        Operation operation = chain.operation(i);
        long start = now + latency(operation, true) / 2;
        if (operation == Operation.READ || operation == Operation.WRITE) {
            return start;
        }
        Word word = word(chain, i, cards.computeIfAbsent(node, n -> new Card()));
        long executed = Math.max(start, word.free);
        long gap = model.local().orElseThrow().addressGap();
        word.free = executed + gap;
        word.busy += gap;
        return executed;
    }

    private static Word word(Chain chain, int i, Card card) {
        return card.words.computeIfAbsent((long) chain.segment(i).index() << 48 | chain.offset(i), at -> new Word());
    }

    private boolean isLocal(int from, int to) {
        return from == to && model.local().isPresent();
    }

    private long latency(Operation operation, boolean isLocal) {
        if (isLocal) {
            LocalCost local = model.local().orElseThrow();
            return switch (operation) {
                case READ -> local.read();
                case WRITE -> local.write();
                default -> local.atomic();
            };
        }
        return switch (operation) {
            case READ -> model.read();
            case WRITE -> model.write();
            default -> model.atomic();
        };
    }

    /**
     * When the completion of a request from one node to another arrives, which is executed now. A card does not let it
     * overtake the previous one of its lane. Without a card, those of different threads are independent.
     *
     * @param last when that one arrives
     */
    long arrival(Operation operation, int from, int to, long now, long last) {
        boolean isLocal = isLocal(from, to);
        long latency = latency(operation, isLocal);
        long arrival = now + latency - latency / 2;
        return isLocal ? arrival : Math.max(arrival, last);
    }

    /**
     * How long a thread takes to read the clock. Beside the accesses of {@link LocalCost} that is next to nothing: a
     * measurement must not measure itself.
     */
    long clock() {
        return model.local().isPresent() ? LocalCost.MIN_NANOS : CLOCK_NANOS;
    }

    /**
     * How long a waiting thread pauses before it polls again, after this many polls. With {@link LocalCost} it has a
     * processor of its own: it spins, with the time of a local READ between two polls, and then backs off by as much
     * more each time. So a wait within a node lasts hardly longer than needed.
     */
    long pause(int attempt) {
        if (model.local().isEmpty()) {
            return PAUSE_NANOS << Math.min(attempt, LONGEST_PAUSE_LOG2);
        }
        long polls = Math.max(1L, attempt - SPINS);
        return Math.min(LONGEST_PAUSE_NANOS, polls * model.local().get().read());
    }

    /** Resets the counts of busy time. */
    void startCounting(long now) {
        countedSince = now;
        for (Card card : cards.values()) {
            card.busy = 0;
            card.busyWithAtomics = 0;
            card.words.values().forEach(word -> word.busy = 0);
        }
    }

    /** Names the resource that was busy for the largest part of the counted time. */
    String busiest(long now) {
        long elapsed = now - countedSince;
        String busiest = "nothing";
        double share = 0;
        for (Map.Entry<Integer, Card> entry : cards.entrySet()) {
            Card card = entry.getValue();
            long word = card.words.values().stream()
                    .max(Comparator.comparingLong(w -> w.busy))
                    .map(w -> w.busy)
                    .orElse(0L);
            String of = " of node " + entry.getKey();
            if (share(card.busy, elapsed) > share) {
                share = share(card.busy, elapsed);
                busiest = "messages at the card" + of;
            }
            if (share(card.busyWithAtomics, elapsed) > share) {
                share = share(card.busyWithAtomics, elapsed);
                busiest = "atomics at the card" + of;
            }
            if (share(word, elapsed) > share) {
                share = share(word, elapsed);
                busiest = "atomics on one word" + of;
            }
        }
        return busiest + ", " + Math.round(100 * share) + " % of the time";
    }

    private static double share(long busy, long elapsed) {
        return elapsed == 0 ? 0 : (double) busy / elapsed;
    }
}
