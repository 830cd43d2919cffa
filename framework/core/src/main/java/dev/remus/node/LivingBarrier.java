// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.NodeLostException;
import dev.remus.memory.SegmentLayout;

/**
 * The barrier of all threads under {@code --on-node-loss continue}, which waits only for those that can still arrive.
 *
 * <p>A thread arrives by a WRITE to its own word in the {@link BarrierTable}, and reads the table. It ends the
 * generation once it has seen that each thread has arrived, is closed, or is on a lost node that is cut off. The others
 * poll the generation. They read the table too every few polls, and with each poll once a node is lost.
 *
 * <p>Why no thread leaves too early: an arrival counts for ever, since the number of a thread's arrivals only grows,
 * and so do a closed thread and one that is cut off. So it does not matter when each of them was seen. The next
 * generation needs the arrival of every thread that is alive, also of the slowest one that still ends this one.
 *
 * <p>Why one of them sees that all have arrived: an arrival is placed before its thread reads the table. So the thread
 * whose arrival is placed last finds all others, on whatever lane it reads. If that thread dies, the others learn of it
 * and read the table themselves.
 *
 * <p>Why a thread that leaves finds what the others wrote before: each placed its WRITEs before it arrived, and all
 * arrivals were seen before the generation ended. Nothing of a thread that was skipped arrives any more, because its
 * node was cut off before.
 *
 * <p>Why all agree on who took part: these are the threads that had arrived when the generation ended. A thread that is
 * alive had. The last arrival of a lost one may become visible after a thread has read the table, and before the node
 * is cut off. So each thread reads the table once more when the generation has ended: every thread that was skipped is
 * cut off by then, and its word stays as it is. A thread leaves only when its own node knows that too, so that it can
 * take over at once what the lost ones held.
 *
 * <p>A thread that joins late, or is opened again, declares that the barrier after the present one is its first,
 * placed, and reads that the present one has not opened since. So every thread that ends the later one reads the
 * declaration, since it reads the table after it has found the present one open. If that has opened meanwhile, the
 * thread declares a later one. A declaration that came too late only holds up the threads that have read it, until it
 * is replaced. A thread that was closed is not awaited by the present barrier, whether it is still closed or has
 * declared.
 *
 * <p>A thread that is opened again arrives at its new first barrier only when the one before has ended. All threads
 * have left the barriers before that by then, so none needs to know any more whether it took part in them.
 *
 * <p>If a lane breaks, a thread may have arrived or ended the generation without knowing it, and does so again: neither
 * has an effect twice. A thread whose wait has failed waits for the same generation when it comes back.
 *
 * <p>Round trips: two to arrive, one for each poll, one for the thread that ends the generation, and one to leave.
 */
final class LivingBarrier {
    /** A thread that closes may be the last for which the others wait, and does not end the generation itself. */
    private static final int POLLS_PER_LOOK = 16;

    private static final int NONE = -1;

    private final BarrierTable table;
    private final int threads;
    private final int starters;
    private final Peers peers;
    private final Attendance attendance;
    private final Membership membership;
    private final Backoff backoff;

    /** The number of barriers that this thread has passed, which is the generation in which it is. */
    private long passed;

    /** Whether the next barrier is under way already, so that this thread takes part only in those after it. */
    private boolean onlyWaits;

    LivingBarrier(
            ClusterConfig config,
            int thread,
            CheckedMemory memory,
            Peers peers,
            Attendance attendance,
            Membership membership,
            OperationsFactory operations) {
        this.threads = config.threadIds();
        this.starters = config.totalThreads();
        this.table = new BarrierTable(
                memory,
                new SegmentLayout(config).barrier(),
                thread,
                threads,
                starters,
                operations.allocateLocal(BarrierTable.bytes(threads)));
        this.peers = peers;
        this.attendance = attendance;
        this.membership = membership;
        this.backoff = new Backoff(operations.environment());
    }

    /**
     * Joins late, as the thread of a node that has come back, or one that is opened again. It takes part in the
     * barriers after the present one, for which {@link #await} only waits. It knows who took part in the last one.
     */
    void join() {
        long present = table.readGeneration();
        do {
            passed = present;
            table.join(passed + 1);
            table.read();
            present = table.readGeneration(); // if it is the same, no word was read after the present one had ended
        } while (present != passed);
        onlyWaits = true;
        long last = passed - 1;
        attendance.record(passed, thread -> last < 0 ? thread < starters : table.hasArrived(thread, last));
    }

    /**
     * Arrives, and waits for the others.
     *
     * @param idle is called again and again while it waits
     * @throws NodeLostException if a node is lost and was not cut off within the loss time-out
     */
    void await(Runnable idle) {
        if (!onlyWaits) {
            table.arrive(passed);
        }
        backoff.reset();
        for (int polls = 0; !isOver(polls); polls++) {
            pause(idle);
        }
        table.read();
        for (int missing = awaited(); missing != NONE; missing = awaited()) {
            checkIsCutOffInTime(missing); // another node may know that it is, from a Memory Node that is lost by now
            pause(idle);
            table.read(); // a thread that joins late may have declared this barrier its first one, in vain
        }
        long ended = passed++;
        onlyWaits = false;
        attendance.record(passed, thread -> table.hasArrived(thread, ended));
    }

    private void pause(Runnable idle) {
        membership.check();
        backoff.pause();
        idle.run();
    }

    /** Whether the present generation is over. Ends it, if this thread finds that it waits for no other. */
    private boolean isOver(int polls) {
        if (polls % POLLS_PER_LOOK != 0 && !membership.isAnyLost()) {
            return table.readGeneration() > passed;
        }
        if (table.read() > passed) {
            return true;
        }
        int missing = awaited();
        if (missing != NONE) {
            checkIsCutOffInTime(missing);
        }
        return missing == NONE && table.end(passed);
    }

    private void checkIsCutOffInTime(int thread) {
        if (peers.isLostAndNotCutOff(thread)) {
            membership.check(thread);
        }
    }

    /** A thread that may still arrive, as far as the table was read; {@link #NONE} if there is none. */
    private int awaited() {
        for (int thread = 0; thread < threads; thread++) {
            if (table.isAwaited(thread, passed) && !peers.isLost(thread)) {
                return thread;
            }
        }
        return NONE;
    }

    /** Declares that this thread arrives at no further barrier. */
    void close() {
        try {
            table.close();
        } catch (NodeLostException e) {
            // Nobody waits at a barrier on a Memory Node that is gone. Any other loss is reported by what follows.
        }
    }
}
