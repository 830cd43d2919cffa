// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Turns of the virtual threads that have parked, or have just started.
 *
 * <p>A carrier runs the threads that have yielded before all others. As long as there is one, a thread whose park is
 * over, or that was started, does not run at all. So while there are such threads, all that yield park for a moment,
 * every few milliseconds. Then those that wait come first.
 *
 * <p>A thread that never yields keeps its carrier. A loop of operations that end without a wait is one, so operations
 * yield when the {@link #tick} has changed.
 */
final class CarrierTurns {
    private static final long NANOS = 5_000_000;

    /** Even if this class counts no thread that waits, the program may have some: each so many turns are one. */
    private static final int TURNS_OF_OTHERS = 20;

    private static final AtomicInteger WAITING = new AtomicInteger();

    private static volatile int turn;
    private static volatile int tick;
    private static boolean hasStarted;

    private CarrierTurns() {}

    /** The number of the turn. When it has changed, a thread that wants to yield calls {@link #park} instead. */
    static int current() {
        return turn;
    }

    /** A number that changes every few milliseconds while there may be virtual threads, and never before. */
    static int tick() {
        return tick;
    }

    /** Parks the calling thread, which gets a turn afterwards if it is virtual. */
    static void park(long nanos) {
        if (!VirtualThreads.isVirtual(Thread.currentThread())) {
            LockSupport.parkNanos(nanos);
            return;
        }
        WAITING.incrementAndGet();
        try {
            LockSupport.parkNanos(nanos);
        } finally {
            WAITING.decrementAndGet();
        }
    }

    /** The body of a virtual thread that is about to start. */
    static Runnable starting(Runnable body) {
        start();
        WAITING.incrementAndGet();
        return () -> {
            WAITING.decrementAndGet();
            body.run();
        };
    }

    private static synchronized void start() {
        if (!hasStarted) {
            hasStarted = true;
            Thread thread = new Thread(CarrierTurns::run, "remus-carrier-turns");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void run() {
        int next = 0;
        for (int i = 0; ; i++) {
            LockSupport.parkNanos(NANOS);
            tick = i + 1;
            if (WAITING.get() > 0 || i % TURNS_OF_OTHERS == 0) {
                next++;
                turn = next;
            }
        }
    }
}
