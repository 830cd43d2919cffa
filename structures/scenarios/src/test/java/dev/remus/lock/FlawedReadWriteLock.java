// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import static dev.remus.simulation.scenario.TroubledCluster.repeated;

import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteBytes;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import dev.remus.simulation.scenario.ReadWriteHandle;

/**
 * A flawed lock for readers and writers, whose mistakes the simulator must find. Without a mistake it is right, as long
 * as no thread is lost.
 */
final class FlawedReadWriteLock implements ReadWriteHandle {
    /** The mistakes. */
    enum Flaw {
        /** None. */
        NONE,
        /** A reader looks at the gate before it marks its slot. */
        GATE_READ_FIRST,
        /** A writer looks at the slots before it closes the gate. */
        SLOTS_READ_FIRST,
        /** A reader's mark is posted, so it may not be placed when it looks at the gate of another Memory Node. */
        MARK_NOT_PLACED,
        /** A writer does not wait for a reader that gives way, also if that gives way to the writer before. */
        ALL_GIVE_WAY,
        /** A reader that gives way does not say to whom: the writer waits for it, and it for the writer. */
        NOBODY_GIVES_WAY,
        /** A reader that gave up leaves its mark. */
        MARK_LEFT,
        /** A writer that gave up leaves the gate closed. */
        GATE_LEFT_CLOSED,
        /** The gate opens before what the writer has posted is placed. */
        OPEN_BEFORE_PLACED,
        /** A reader does not repeat its mark if a lane breaks. */
        MARK_NOT_REPEATED,
        /** A reader that leaves does not repeat that if a lane breaks. */
        LEAVING_NOT_REPEATED;

        /** Whether it takes a lane that breaks to show it. */
        boolean isOfBreaks() {
            return compareTo(MARK_NOT_REPEATED) >= 0;
        }
    }

    private static final class Shared extends RemoteRecord {
        private final RemoteLong gate = longField();
        private final RemoteLongArray slots;
        private final RemoteBytes queue;

        Shared(int threads) {
            slots = longArrayField(threads);
            queue = bytesField(RemoteQueueLock.bytes(threads));
        }
    }

    private static final long OPEN = -1;
    private static final long OUTSIDE = -2;
    private static final long INSIDE = -3;

    private final Shared This;
    private final RemoteQueueLock writers;
    private final Flaw flaw;

    FlawedReadWriteLock(RdmaPtr<?> This, Flaw flaw, ComputeThread ct) {
        this.This = new Shared(ct.threads());
        this.This.at(This);
        this.flaw = flaw;
        writers = new RemoteQueueLock(ct.threads());
        writers.at(this.This.queue.pointer());
    }

    static RdmaPtr<?> create(ComputeThread ct) {
        Shared shared = new Shared(ct.threads());
        shared.allocate(ct);
        shared.gate.store(OPEN, ct);
        for (int i = 0; i < ct.threads(); i++) {
            shared.slots.store(i, OUTSIDE, ct);
        }
        RemoteQueueLock queue = new RemoteQueueLock(ct.threads());
        queue.at(shared.queue.pointer());
        queue.init(ct);
        return new RdmaPtr<>(shared.pointer());
    }

    @Override
    public Acquisition tryAcquire(boolean writes, long nanos, ComputeThread ct) {
        ct.place();
        long start = ct.nanoTime();
        return writes ? tryAcquireWrite(nanos, start, ct) : tryAcquireRead(nanos, start, ct);
    }

    private Acquisition tryAcquireRead(long nanos, long start, ComputeThread ct) {
        long writer = mark(ct);
        if (writer == OPEN) {
            return Acquisition.NORMAL;
        }
        if (flaw != Flaw.NOBODY_GIVES_WAY) {
            mark(writer, true, ct);
        }
        while (gate(ct) == writer) {
            if (ct.nanoTime() - start >= nanos) {
                if (flaw != Flaw.MARK_LEFT) {
                    mark(OUTSIDE, true, ct);
                }
                return Acquisition.TIMED_OUT;
            }
            ct.pause();
        }
        return Acquisition.NORMAL;
    }

    private long mark(ComputeThread ct) {
        if (flaw == Flaw.GATE_READ_FIRST) {
            long writer = gate(ct);
            mark(INSIDE, true, ct);
            return writer;
        } else if (flaw == Flaw.MARK_NOT_PLACED) {
            This.slots.post(ct.id(), INSIDE, ct);
        } else {
            mark(INSIDE, flaw != Flaw.MARK_NOT_REPEATED, ct);
        }
        return gate(ct);
    }

    private Acquisition tryAcquireWrite(long nanos, long start, ComputeThread ct) {
        if (!writers.tryAcquire(nanos, ct).isHeld()) {
            return Acquisition.TIMED_OUT;
        }
        boolean isClosed = flaw != Flaw.SLOTS_READ_FIRST;
        if (isClosed) {
            setGate(writers.ticket(), ct);
        }
        for (int i = 0; i < This.slots.length(); i++) {
            int slot = i;
            while (!isAway(repeated(() -> This.slots.load(slot, ct), ct))) {
                if (ct.nanoTime() - start >= nanos) {
                    if (flaw != Flaw.GATE_LEFT_CLOSED) {
                        setGate(OPEN, ct);
                    }
                    writers.release(ct);
                    return Acquisition.TIMED_OUT;
                }
                ct.pause();
            }
        }
        if (!isClosed) {
            setGate(writers.ticket(), ct);
        }
        return Acquisition.NORMAL;
    }

    private boolean isAway(long slot) {
        return slot == OUTSIDE || slot == writers.ticket() || flaw == Flaw.ALL_GIVE_WAY && slot != INSIDE;
    }

    @Override
    public void makeConsistent() {
        throw new UnsupportedOperationException("no holder is lost");
    }

    @Override
    public void release(boolean writes, ComputeThread ct) {
        if (!writes) {
            ct.place();
            mark(OUTSIDE, flaw != Flaw.LEAVING_NOT_REPEATED, ct);
            return;
        }
        if (flaw != Flaw.OPEN_BEFORE_PLACED) {
            ct.place();
        }
        setGate(OPEN, ct);
        writers.release(ct);
    }

    private long gate(ComputeThread ct) {
        return repeated(() -> This.gate.load(ct), ct);
    }

    private void setGate(long word, ComputeThread ct) {
        store(() -> This.gate.store(word, ct), true, ct);
    }

    private void mark(long word, boolean repeats, ComputeThread ct) {
        store(() -> This.slots.store(ct.id(), word, ct), repeats, ct);
    }

    private static void store(Runnable store, boolean repeats, ComputeThread ct) {
        while (true) {
            try {
                store.run();
                return;
            } catch (OutcomeUnknownException e) {
                if (!repeats) {
                    return;
                }
                ct.pause();
            }
        }
    }
}
