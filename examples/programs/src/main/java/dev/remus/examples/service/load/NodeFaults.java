// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service.load;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Kills or stops the nodes of a service in turn, by the ids of their processes, and waits until each serves again.
 * Something else starts them: {@code ./remus service}, or systemd.
 */
final class NodeFaults implements Runnable {
    private static final long TO_COME_BACK_NANOS = TimeUnit.SECONDS.toNanos(120);
    private static final long POLL_MILLIS = 20;

    private final List<LoadTarget> targets;
    private final long everyNanos;
    private final LoadTally tally;
    private final BooleanSupplier isOver;
    private final AtomicInteger kills = new AtomicInteger();
    private final AtomicInteger stops = new AtomicInteger();
    private final AtomicLong longestNanos = new AtomicLong();

    NodeFaults(List<LoadTarget> targets, long everyNanos, LoadTally tally, BooleanSupplier isOver) {
        this.targets = targets;
        this.everyNanos = everyNanos;
        this.tally = tally;
        this.isOver = isOver;
    }

    @Override
    public void run() {
        try {
            long next = System.nanoTime() + everyNanos;
            for (int turn = 0; !isOver.getAsBoolean(); ) {
                if (System.nanoTime() - next >= 0) {
                    next = Math.max(next + everyNanos, System.nanoTime());
                    int round = turn / targets.size();
                    boolean swaps = targets.size() % 2 == 0 && round % 2 != 0; // else a node would always be killed
                    strike(targets.get(turn % targets.size()), turn % 2 == 0 != swaps);
                    turn++;
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void strike(LoadTarget target, boolean isKill) throws InterruptedException {
        long begin = System.nanoTime();
        long process = target.process();
        if (isKill) {
            target.beginKill();
            kills.incrementAndGet();
            ProcessHandle.of(process).ifPresent(ProcessHandle::destroyForcibly);
        } else {
            stops.incrementAndGet();
            ProcessHandle.of(process).ifPresent(ProcessHandle::destroy);
        }
        while (target.process() == process || !target.isAvailable()) {
            if (System.nanoTime() - begin > TO_COME_BACK_NANOS) {
                tally.error(target.url() + " has not come back");
                return;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        longestNanos.accumulateAndGet(System.nanoTime() - begin, Math::max);
    }

    /** What was done, for a reader; once it has ended. */
    String summary() {
        return kills + " killed, " + stops + " restarted; each served again within "
                + TimeUnit.NANOSECONDS.toMillis(longestNanos.get()) / 1000.0 + " s";
    }

    int kills() {
        return kills.get();
    }

    boolean hasActed() {
        return kills.get() + stops.get() > 0;
    }
}
