// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import dev.remus.fabric.FabricException;
import dev.remus.memory.OutOfRemoteMemoryException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.NodeObjects;
import org.jspecify.annotations.Nullable;

/**
 * A word in a waiter's own memory, to which the thread before it in the line of a {@link RemoteQueueLock} WRITEs how
 * its ticket has ended. So the waiter polls without a round trip, if its node is a Memory Node too.
 *
 * <pre>
 *  lock      places    | CLAIMED 7 | CLAIMED 8 |        ticket 7: 1. swaps its place to RELEASED, and READs place 8
 *            waiters   |     -     |     o     |                  2. WRITEs "7 RELEASED" to the word of its successor
 *                                        |
 *  node of the owner of ticket 8         v
 *            word                  | 7 RELEASED |       ticket 8: reads its word, and has the lock
 * </pre>
 *
 * <p><b>Why a waiter may trust the word.</b> The word serves one thread and one lock, for as long as the cluster runs.
 * So the only values that are ever written to it are ends of tickets of this lock. An end is final, and a thread WRITEs
 * it only when it is placed. So the value is true whenever it arrives, whoever has written it, and whichever waiter of
 * this lock it was meant for; it is the waiter's turn if it is the end of the ticket before its own. The holder before
 * has placed its WRITEs before it swapped its place, thus before it posted this one. Where a node reads its own memory
 * by a load, {@link dev.remus.fabric.LocalSegments} explains why that is as good as a READ.
 *
 * <p>A block that once had a lock may have another one now, whose tickets begin again. Its waiters do not trust what
 * was in the word before they claimed their tickets. Nothing arrives after that from the time of the other lock: its
 * threads have awaited their WRITEs, and those of a lost thread end before its node is cut off.
 *
 * <p><b>Why a waiter is woken, as a rule.</b> The owner of a ticket publishes its word, claims the ticket by an atomic,
 * and then READs the ticket before. The owner of that one swaps it by an atomic, and then READs the ticket behind.
 * READs overtake nothing, so at least one of the two sees the other. A value may still be lost: with a lane, with a
 * thread, or because another one replaces it before the waiter reads the word. So a waiter reads the line too, rarely.
 */
final class WaiterWord {
    /** Not the end of a ticket. */
    static final long EMPTY = -1;

    /** What the views of one thread share. */
    private static final class Own {
        private long word = RdmaPtr.NULL;
        private boolean isInitialized;

        /** The node has no memory left. */
        private boolean isRefused;
    }

    private record Key(int thread, long lock) {}

    /** Over fewer turns than these, the threads of a node do not measure how long one takes. */
    private static final long MEASURED_TURNS = 16;

    /** How far the line of a lock has come, as the threads of one node have seen it last; it may be a little off. */
    private static final class Seen {
        private volatile long served = EMPTY;
        private volatile long at;

        /** 0 before it was measured. */
        private volatile long nanosPerTurn;
    }

    private record NodeKey(long lock) {}

    /** Null before this thread has waited for the lock at {@link #lock} through this view. */
    private @Nullable Own own;

    private @Nullable Seen onNode;
    private long lock;

    /** NULL while it is not in use. */
    private long word = RdmaPtr.NULL;

    /** The last value that was read. */
    private long seen = EMPTY;

    /** Notes that this thread waits for a lock: the next time it has a word, if its own node is a Memory Node. */
    void wanted(long atLock, ComputeThread ct) {
        if ((own == null || lock != atLock) && ct.peers().hasMemory(ct.id())) {
            own = NodeObjects.of(ct, new Key(ct.id(), atLock), Own.class, Own::new);
            onNode = NodeObjects.of(ct, new NodeKey(atLock), Seen.class, Seen::new);
            lock = atLock;
            word = RdmaPtr.NULL;
        }
    }

    /**
     * The word to be published with a ticket that is about to be drawn. No round trip, but the first time up to two.
     *
     * @return its pointer, or NULL if this thread has not waited for the lock yet, or has no memory near itself
     */
    long open(long atLock, ComputeThread ct) {
        Own known = own;
        word = RdmaPtr.NULL;
        if (known != null && lock == atLock && !known.isRefused) {
            try {
                open(known, ct);
            } catch (OutOfRemoteMemoryException e) {
                known.isRefused = true;
            } catch (FabricException e) {
                word = RdmaPtr.NULL; // the next time perhaps
            }
        }
        return word;
    }

    private void open(Own known, ComputeThread ct) {
        if (known.word == RdmaPtr.NULL) {
            long block = ct.allocateNear(Long.BYTES);
            if (RdmaPtr.node(block) != ct.nodeId()) {
                ct.free(block, Long.BYTES);
                known.isRefused = true;
                return;
            }
            known.word = block;
        }
        if (!known.isInitialized) {
            ct.write(known.word, EMPTY);
            known.isInitialized = true;
        }
        seen = ct.read(known.word);
        word = known.word;
    }

    /** The word to be published with a ticket of a lock, or NULL. While it is not NULL, polls take no round trip. */
    long published(long atLock) {
        return lock == atLock ? word : RdmaPtr.NULL;
    }

    /** Reads the word: the end of a ticket that has arrived since the last time, or {@link #EMPTY}. */
    long poll(ComputeThread ct) {
        long last = seen;
        try {
            seen = ct.read(word);
        } catch (FabricException e) {
            word = RdmaPtr.NULL; // this thread polls the line instead
        }
        return seen != last ? seen : EMPTY;
    }

    /** Shares what this thread has seen of the line with the other threads of its node, whose waits it shortens. */
    void share(long atLock, long served, long now) {
        Seen shared = onNode;
        if (shared != null && lock == atLock && served > shared.served) {
            long turns = served - shared.served;
            if (shared.served != EMPTY && turns >= MEASURED_TURNS) {
                shared.nanosPerTurn = Math.max(0, now - shared.at) / turns;
            }
            shared.at = now;
            shared.served = served;
        }
    }

    /** Updates a pace with how far the line has come, and how fast, as the threads of this node have seen. */
    void inform(QueuePace pace) {
        Seen shared = onNode;
        if (shared != null) {
            pace.progressed(shared.served, shared.at);
            pace.measured(shared.nanosPerTurn);
        }
    }
}
