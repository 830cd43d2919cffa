// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CostModel;
import dev.remus.fabric.LocalCost;
import dev.remus.fabric.Operation;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * When requests from a Compute Node to a Memory Node would complete on the hardware of a {@link CostModel}. It tracks
 * until when the Compute Node's card, the Memory Node's card and the words of atomics are busy, as the simulator does.
 *
 * <p>Processes know nothing of each other's requests. So a Memory Node's card and the words of atomics are busy with
 * the requests of one Compute Node only, and the traffic of others makes no operation slower. Where several nodes
 * compete for a card or for a word, operations may complete sooner than on the hardware.
 *
 * <p>Called by any thread. Allocates nothing.
 */
final class EmulatedPath {
    /** A word shares its entry with few others; a shared entry makes atomics later, and never earlier. */
    private static final int WORDS_LOG2 = 12;

    private static final int SEGMENT_SHIFT = 48;

    /** The bits of segment and offset in a pointer. */
    private static final long WORD = (1L << SEGMENT_SHIFT + 6) - 1;

    private static final double NANOS = 1e9;
    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    private final CostModel model;
    private final boolean isLocal;
    private final double nanosPerByte;
    private final AtomicLong sender;
    private final AtomicLong receiver;
    private final AtomicLong atomicUnit;
    private final AtomicLongArray words;

    /**
     * A path that is free.
     *
     * @param sender until when the Compute Node's card is busy, shared by its paths
     * @param isLocal whether the Memory Node is the same node
     */
    EmulatedPath(CostModel model, AtomicLong sender, boolean isLocal) {
        this.model = model;
        this.isLocal = isLocal && model.local().isPresent();
        this.nanosPerByte = NANOS / model.bytesPerSecond();
        this.sender = sender;
        long now = System.nanoTime();
        this.receiver = new AtomicLong(now);
        this.atomicUnit = new AtomicLong(now);
        this.words = new AtomicLongArray(model.isUnlimited() ? 1 : 1 << WORDS_LOG2);
        for (int i = 0; i < words.length(); i++) {
            words.set(i, now);
        }
    }

    /** When request {@code i} of a chain completes that is posted now, behind all earlier requests. */
    long completes(Chain chain, int i, long now) {
        long word = (long) chain.segment(i).index() << SEGMENT_SHIFT | chain.offset(i);
        return completes(chain.operation(i), word, chain.length(i), now);
    }

    /**
     * When an operation completes that is posted now.
     *
     * @param pointer the pointer, whose node does not matter
     */
    long completes(Operation operation, long pointer, int length, long now) {
        boolean isAtomic = operation != Operation.READ && operation != Operation.WRITE;
        if (isLocal) {
            return completesLocally(operation, isAtomic, pointer, now);
        }
        long latency = isAtomic ? model.atomic() : operation == Operation.READ ? model.read() : model.write();
        if (model.isUnlimited()) {
            return now + latency;
        }
        long leaves = reserve(sender, now, model.gap());
        long message = Math.max(model.gap(), Math.round(length * nanosPerByte));
        long executed = reserve(receiver, leaves + latency / 2, message);
        if (isAtomic) {
            executed = reserve(atomicUnit, executed, model.atomicGap());
            executed = reserveWord(pointer, executed, model.addressGap());
        }
        return executed + latency - latency / 2;
    }

    private long completesLocally(Operation operation, boolean isAtomic, long pointer, long now) {
        LocalCost local = model.local().orElseThrow();
        if (!isAtomic) {
            return now + (operation == Operation.READ ? local.read() : local.write());
        }
        long latency = local.atomic();
        return reserveWord(pointer, now + latency / 2, local.addressGap()) + latency - latency / 2;
    }

    /** Occupies a resource from the earliest time at which it is free; returns that time. */
    private static long reserve(AtomicLong busyUntil, long earliest, long nanos) {
        while (true) {
            long free = busyUntil.get();
            long from = free - earliest > 0 ? free : earliest;
            if (busyUntil.compareAndSet(free, from + nanos)) {
                return from;
            }
        }
    }

    private long reserveWord(long pointer, long earliest, long nanos) {
        long word = pointer & WORD;
        int entry = (int) (word * GOLDEN_RATIO >>> Long.SIZE - WORDS_LOG2);
        while (true) {
            long free = words.get(entry);
            long from = free - earliest > 0 ? free : earliest;
            if (words.compareAndSet(entry, free, from + nanos)) {
                return from;
            }
        }
    }
}
