// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.node.Cleanup;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The words of a {@link RemoteReadWriteLock} that readers and writers exchange: the gate, and a slot of each thread.
 * Each operation is repeated if a lane breaks: a slot is WRITTEN by its thread only, and a gate that was closed by one
 * turn never has that word again. Without that, each takes one round trip.
 */
final class ReadWriteWords {
    /** Of a thread that does not read. */
    static final long OUTSIDE = 0;

    private static final int STORED = 0;
    private static final int GATE = 8;
    private static final int SLOTS = 16;

    private final RemoteLong gate;
    private final RemoteLongArray slots;
    private @Nullable LocalBuffer local;

    ReadWriteWords(RemoteLong gate, RemoteLongArray slots) {
        this.gate = gate;
        this.slots = slots;
    }

    private LocalBuffer local(ComputeThread ct) {
        LocalBuffer own = local;
        if (own == null) {
            own = ct.allocateLocal(SLOTS + (long) slots.length() * Long.BYTES);
            local = own;
        }
        return own;
    }

    /** WRITEs this thread's slot, and then READs the gate: the slot is placed before the gate is read. */
    long storeSlotAndLoadGate(long value, ComputeThread ct) {
        LocalBuffer words = local(ct);
        words.putLong(STORED, value);
        while (true) {
            try {
                ct.sequence()
                        .write(slots.pointer(ct.id()), words, STORED, Long.BYTES)
                        .read(gate.pointer(), words, GATE, Long.BYTES)
                        .execute();
                return words.getLong(GATE);
            } catch (OutcomeUnknownException e) {
                ct.pause();
            }
        }
    }

    /** WRITEs this thread's slot. */
    void storeSlot(long value, ComputeThread ct) {
        while (true) {
            try {
                slots.store(ct.id(), value, ct);
                return;
            } catch (OutcomeUnknownException e) {
                ct.pause();
            }
        }
    }

    /**
     * WRITEs OUTSIDE to this thread's slot once everything that it gave up waiting for is over; now, or as a {@link
     * Cleanup}. No later WRITE of the slot is overtaken: the thread places before it acquires the lock again.
     */
    void leaveByCleanup(ComputeThread ct) {
        long slot = slots.pointer(ct.id());
        Cleanup.run(() -> ct.write(slot, OUTSIDE), ct);
    }

    /**
     * Closes the gate if it still has a word, and then READs all slots ({@link #slot}), since a READ does not overtake
     * the swap. Returns the word that the gate had.
     */
    long closeAndLoadSlots(long expected, long closed, ComputeThread ct) {
        LocalBuffer words = local(ct);
        while (true) {
            try {
                ct.sequence()
                        .compareAndSwap(gate.pointer(), expected, closed, words, GATE)
                        .read(slots.pointer(0), words, SLOTS, slots.length() * Long.BYTES)
                        .execute();
                long seen = words.getLong(GATE);
                return seen == closed ? expected : seen; // after a lane broke
            } catch (OutcomeUnknownException e) {
                ct.pause();
            }
        }
    }

    /** Opens the gate if it still is as a lost writer has left it. Returns what it is after that. */
    long openAfterDeath(long closed, ComputeThread ct) {
        while (true) {
            try {
                long seen = gate.compareAndExchange(closed, GateWord.OPEN_AFTER_DEATH, ct);
                return seen == closed ? GateWord.OPEN_AFTER_DEATH : seen;
            } catch (OutcomeUnknownException e) {
                ct.pause();
            }
        }
    }

    /** READs the slots from one on. */
    void loadSlots(int first, ComputeThread ct) {
        LocalBuffer words = local(ct);
        while (true) {
            try {
                int bytes = (slots.length() - first) * Long.BYTES;
                ct.read(slots.pointer(first), words, SLOTS + (long) first * Long.BYTES, bytes);
                return;
            } catch (OutcomeUnknownException e) {
                ct.pause();
            }
        }
    }

    /** A slot as it was READ last. */
    long slot(int thread, ComputeThread ct) {
        return local(ct).getLong(SLOTS + (long) thread * Long.BYTES);
    }

    /** READs the gate. */
    long loadGate(ComputeThread ct) {
        while (true) {
            try {
                return gate.load(ct);
            } catch (OutcomeUnknownException e) {
                ct.pause();
            }
        }
    }
}
