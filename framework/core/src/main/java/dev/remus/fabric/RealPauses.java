// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

/**
 * Pauses of a thread of the machine, by the time that its wait has lasted and by the kind of the thread.
 *
 * <pre>
 *                     10 µs                50 µs
 *  platform   spin  ----+------- yield ------+---- park, each time for twice as long, up to 1.28 ms
 *  virtual    yield -------------------------+---- park, each time for twice as long, up to 10.24 ms
 * </pre>
 *
 * <p>Round trips of a card end while a platform thread spins. A virtual thread never spins: whenever it waits, another
 * one can use the processor. It parks for longer, because there may be thousands that wait at a barrier, and each end
 * of a park costs a timer. Without a second processor, spinning keeps the awaited thread from running, so nothing
 * spins.
 */
final class RealPauses implements Environment.Pauses {
    private static final long SPIN_NANOS = Runtime.getRuntime().availableProcessors() > 1 ? 10_000 : 0;
    private static final long YIELD_NANOS = 50_000;
    private static final long SHORTEST_PARK_NANOS = 20_000;
    private static final long LONGEST_PARK_NANOS = SHORTEST_PARK_NANOS << 6;
    private static final long LONGEST_VIRTUAL_PARK_NANOS = SHORTEST_PARK_NANOS << 9;

    private int turn = CarrierTurns.current();
    private int tick = CarrierTurns.tick();
    private boolean isVirtual;
    private boolean hasBegun;
    private long began;
    private long park;

    @Override
    public void beforeFirstPoll() {
        if (VirtualThreads.isVirtual(Thread.currentThread())) {
            yieldCarrier();
        }
    }

    @Override
    public void yieldIfDue() {
        int now = CarrierTurns.tick();
        if (now != tick) {
            tick = now;
            beforeFirstPoll();
        }
    }

    /** Lets other virtual threads run: those that yield too, and sometimes those that do not ({@link CarrierTurns}). */
    private void yieldCarrier() {
        int now = CarrierTurns.current();
        if (now == turn) {
            Thread.yield();
        } else {
            turn = now;
            CarrierTurns.park(1);
        }
    }

    @Override
    public boolean spin(int attempt) {
        beginIfFirst(attempt);
        if (isVirtual || waited() >= SPIN_NANOS) {
            return false;
        }
        Thread.onSpinWait();
        return true;
    }

    private void beginIfFirst(int attempt) {
        if (attempt == 0) {
            isVirtual = VirtualThreads.isVirtual(Thread.currentThread());
            hasBegun = false;
            park = SHORTEST_PARK_NANOS;
        }
    }

    /** How long this wait has lasted since this was first asked. */
    private long waited() {
        long now = System.nanoTime();
        if (!hasBegun) {
            hasBegun = true;
            began = now;
        }
        return now - began;
    }

    @Override
    public void pause(int attempt, long nanos) {
        beginIfFirst(attempt);
        if (isVirtual && attempt == 0) {
            yieldCarrier(); // most operations end meanwhile, so the clock is read only if this one has not
            return;
        }
        long waited = waited();
        if (waited < SPIN_NANOS && !isVirtual) {
            Thread.onSpinWait();
        } else if (waited < YIELD_NANOS && isVirtual) {
            yieldCarrier();
        } else if (waited < YIELD_NANOS) {
            Thread.yield();
        } else {
            park(nanos);
        }
    }

    private void park(long nanos) {
        CarrierTurns.park(Math.min(nanos, park));
        park = Math.min(2 * park, isVirtual ? LONGEST_VIRTUAL_PARK_NANOS : LONGEST_PARK_NANOS);
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedWaitException("interrupted while waiting");
        }
    }
}
