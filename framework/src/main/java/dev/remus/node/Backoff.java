package dev.remus.node;

import dev.remus.fabric.FabricException;
import java.util.concurrent.locks.LockSupport;

/**
 * How everything waits: spin a little, then yield, then park for longer and longer, so that a thread with something to
 * do gets a core even when there are many more threads than cores.
 */
final class Backoff {
    private static final int SPINS = Runtime.getRuntime().availableProcessors() > 1 ? 64 : 0;
    private static final int YIELDS = SPINS + 32;
    private static final long SHORTEST_PARK_NANOS = 20_000;
    private static final int DOUBLINGS = 6;

    private int step;

    /** To be called when what was waited for has happened. */
    void reset() {
        step = 0;
    }

    /** Waits a little, longer each time. */
    void pause() {
        if (step < SPINS) {
            step++;
            Thread.onSpinWait();
        } else if (step < YIELDS) {
            step++;
            Thread.yield();
        } else {
            LockSupport.parkNanos(SHORTEST_PARK_NANOS << (step - YIELDS));
            step = Math.min(step + 1, YIELDS + DOUBLINGS);
            if (Thread.currentThread().isInterrupted()) {
                throw new FabricException("interrupted while waiting");
            }
        }
    }
}
