// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Environment;
import dev.remus.fabric.FabricException;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;

/**
 * A barrier for a number of Compute Threads of all nodes, in one word of the first Memory Node's header. Under {@code
 * --on-node-loss continue}, all threads together meet at the {@link LivingBarrier} instead.
 *
 * <pre>
 *  63                   55 54       53                        23 22                      0
 * +-----------------------+--------+---------------------------+-------------------------+
 * | sum of participants   | broken | generation                | threads that have       |
 * | that arrivers name    |        |                           | arrived                 |
 * +-----------------------+--------+---------------------------+-------------------------+
 * </pre>
 *
 * <p>Arriving is a FETCH_AND_ADD of 1, and of the number of participants to the sum, of which only the lowest 9 bits
 * are kept: the rest overflows. So each arriving thread can check whether the earlier ones wait for the same number as
 * it does; numbers that differ by a multiple of 512 look alike. The last thread to arrive adds the difference that
 * resets the count and the sum to 0 and advances the generation. The others wait for the generation to change. The
 * barrier is one word, changed only by atomics. So no thread can arrive between the reset of the count and the release
 * of the waiters, and no plain WRITE is needed, which would not be atomic with respect to FETCH_AND_ADD.
 *
 * <p>When a participant is lost, a waiter that notices it sets the broken bit, and the barrier fails for all threads
 * and for ever. Otherwise, arrivals that were counted but are no longer awaited could complete a later round.
 */
final class ControlBarrier {
    private static final int SUM_SHIFT = 55;
    private static final long SUM = (1L << Long.SIZE - SUM_SHIFT) - 1;
    private static final long BROKEN = 1L << 54;
    private static final int GENERATION_SHIFT = 23;
    private static final long GENERATIONS = 1L << 31;
    private static final long ONE_GENERATION = 1L << GENERATION_SHIFT;
    private static final long COUNT = ONE_GENERATION - 1;

    /** The time after which a node has noticed a loss that another node has noticed. */
    private static final long NOTICE_NANOS = 1_000_000_000;

    private final long word;
    private final long finishedThreads;
    private final int threadsInAll;
    private final CheckedMemory memory;
    private final Membership membership;
    private final Environment environment;
    private final Backoff backoff;

    ControlBarrier(ClusterConfig config, CheckedMemory memory, Membership membership, Environment environment) {
        this.memory = memory;
        this.membership = membership;
        this.environment = environment;
        this.backoff = new Backoff(environment);
        this.word = SegmentLayout.header(config.firstMemoryNode(), 0, SegmentHeader.BARRIER);
        this.finishedThreads = SegmentLayout.header(config.firstMemoryNode(), 0, SegmentHeader.CONTROL);
        this.threadsInAll = config.totalThreads();
    }

    /**
     * Arrives, and waits for the others.
     *
     * @param idle is called again and again while it waits
     */
    void await(int participants, Runnable idle) {
        if (participants < 1 || participants > threadsInAll) {
            throw new IllegalArgumentException(
                    "a barrier for " + participants + " threads: the cluster has 1 to " + threadsInAll + " of them");
        }
        backoff.reset();
        long before = memory.fetchAndAddHeader(word, arrival(participants));
        if ((before & BROKEN) != 0) {
            throw broken();
        }
        if ((before & COUNT) >= participants) {
            breakIt();
            throw new IllegalStateException("more threads have arrived at the control barrier than the " + participants
                    + " that this one waits for: do all pass the same number?");
        }
        if (before >>> SUM_SHIFT != ((before & COUNT) * participants & SUM)) {
            breakIt();
            throw new IllegalStateException("the control barrier is used with different numbers of participants: "
                    + participants + " by this thread, other numbers by waiting threads");
        }
        if ((before & COUNT) == participants - 1) {
            memory.fetchAndAddHeader(word, differenceToNextGeneration(before, participants));
        } else {
            try {
                awaitNextGeneration(before, participants, idle);
            } catch (FabricException | IllegalStateException e) { // this thread was counted all the same
                breakIt();
                throw e;
            }
        }
    }

    private static long arrival(int participants) {
        return ((long) participants << SUM_SHIFT) + 1;
    }

    private static long generation(long word) {
        return word >>> GENERATION_SHIFT & GENERATIONS - 1;
    }

    /**
     * The summand for the word with all threads arrived. The generation wraps around without touching the broken bit.
     */
    private static long differenceToNextGeneration(long before, int participants) {
        boolean wraps = generation(before) == GENERATIONS - 1;
        return (wraps ? -(GENERATIONS - 1) * ONE_GENERATION : ONE_GENERATION) - participants * arrival(participants);
    }

    private void awaitNextGeneration(long before, int participants, Runnable idle) {
        int looks = 0;
        while (true) {
            long now = memory.readHeader(word);
            if (generation(now) != generation(before)) {
                return;
            }
            if ((now & BROKEN) != 0) {
                throw broken();
            }
            membership.checkAll();
            if (++looks % 64 == 0) {
                checkEnoughThreadsAreLeft(before, participants);
            }
            backoff.pause();
            idle.run();
        }
    }

    /** A thread that has closed its Compute Thread cannot arrive any more. */
    private void checkEnoughThreadsAreLeft(long before, int participants) {
        long finished = memory.readHeader(finishedThreads);
        if (threadsInAll - finished >= participants) {
            return;
        }
        // They may have finished after this round: the barrier is stuck only if the generation has not changed.
        if (generation(memory.readHeader(word)) == generation(before)) {
            throw new IllegalStateException("the control barrier waits for " + participants + " threads, but "
                    + finished + " of " + threadsInAll + " have finished already");
        }
    }

    /** Sets the broken bit by COMPARE_AND_SWAP, since others change the word by atomics. */
    private void breakIt() {
        try {
            long now = memory.readHeader(word);
            while ((now & BROKEN) == 0) {
                long found = memory.compareAndSwapHeader(word, now, now | BROKEN);
                if (found == now) {
                    return;
                }
                now = found;
            }
        } catch (FabricException e) {
            // The first Memory Node itself is gone: no thread can pass this barrier anyway.
        }
    }

    /** Another node may have noticed the loss before this one, which checks for losses several times a second. */
    private FabricException broken() {
        long end = environment.nanoTime() + NOTICE_NANOS;
        do {
            membership.checkAll();
            backoff.pause();
        } while (environment.nanoTime() - end < 0);
        return new FabricException("the control barrier is broken: a participant was lost, or has given up");
    }
}
