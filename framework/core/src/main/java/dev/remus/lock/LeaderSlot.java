// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.Cleanup;
import dev.remus.node.ComputeThread;
import dev.remus.node.LockKind;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import java.util.OptionalInt;

/**
 * The place of a leader: at most one thread of the cluster leads at a time, and each leader has a term of its own,
 * which is larger than all terms before.
 *
 * <pre>
 *  63                     24 23             0
 * +-------------------------+----------------+
 * | term, 0 before the      | 1 + id of the  |
 * | first leader            | leader, or 0   |
 * +-------------------------+----------------+
 * </pre>
 *
 * <pre>{@code
 * RdmaPtr<LeaderSlot> shared = LeaderSlot.create(ct);  // once, by one thread
 * LeaderSlot slot = new LeaderSlot(shared);            // each thread's own handle
 * while (!slot.tryLead(ct)) {
 *     ct.pause();                                      // follow the leader
 * }
 * ... slot.term() ...                                  // lead
 * slot.resign(ct);
 * }</pre>
 *
 * <p><b>Promises.</b> At most one thread leads. Everything that a leader has written or posted to remote memory before
 * it resigned is placed before the next one leads, and nothing of a leader that was lost arrives afterwards. No method
 * waits for another thread: {@link #tryLead} is lock-free, and the others are wait-free. Threads that try are in no
 * order.
 *
 * <p><b>Linearization points.</b> {@link #tryLead}: the COMPARE_AND_SWAP that makes this thread the leader, or the READ
 * of a word that names another one. {@link #resign}: its COMPARE_AND_SWAP. {@link #leader}: its READ.
 *
 * <p><b>Why it is right.</b> The word changes by COMPARE_AND_SWAP only, and no value of it comes twice: each leader
 * adds 1 to the term, and resigning keeps it. So a swap that succeeds follows the word that it has seen, and one that
 * was lost with its lane can be repeated. A WRITE of a leader is placed before its resigning is posted, and the next
 * leader swaps only after it has READ that.
 *
 * <p><b>Death.</b> A leader that is lost with its node keeps the slot until the node is cut off ({@link
 * dev.remus.node.Peers#isLost}); then the next thread that tries leads. What the lost leader did may be half done. If
 * the node is not cut off within the loss time-out, {@link #tryLead} throws a {@link LostHolderException}. A leader
 * that only stops keeps the slot. Like a lock, the slot must be left: a thread that ends as the leader fails its node.
 * For services outside remote memory, which no fence protects, {@link #term} is a fencing token: they refuse a term
 * below the largest that they have seen.
 *
 * <p><b>Exceptions.</b> If a thread is interrupted in {@link #tryLead}, or a lane cannot be connected, that ends with a
 * {@link FabricException}, and the thread does not lead: if its swap takes effect later, it resigns, at once or as a
 * {@link Cleanup} of its later operations. A {@link #resign} that throws has not begun. Once it has placed everything,
 * it ends in the same way, and throws only if the Memory Node is lost.
 *
 * <p><b>Round trips.</b> {@link #tryLead} 2, or 1 if another thread leads, and 1 more whenever another thread is
 * faster. {@link #resign} and {@link #leader} 1.
 *
 * <p>Source: the term is a sequencer as in M. Burrows, "The Chubby Lock Service for Loosely-Coupled Distributed
 * Systems", OSDI 2006. No lease is needed here: the fence replaces it.
 */
public final class LeaderSlot {
    private static final int HOLDER_BITS = 24;
    private static final int NOBODY = -1;

    private static final class Slot extends RemoteRecord {
        private final RemoteLong word = longField();
    }

    private final Slot This = new Slot();

    /** The term in which this thread leads, 0 if it does not. */
    private long term;

    /** Makes a slot without a leader. One round trip, besides that of an allocation. */
    public static RdmaPtr<LeaderSlot> create(ComputeThread ct) {
        Slot slot = new Slot();
        slot.allocate(ct);
        slot.word.store(word(0, NOBODY), ct);
        return new RdmaPtr<>(slot.pointer());
    }

    /** Makes a thread's handle. No round trip. */
    public LeaderSlot(RdmaPtr<LeaderSlot> This) {
        this.This.at(This.raw());
    }

    private static long word(long term, int thread) {
        return term << HOLDER_BITS | thread + 1;
    }

    private static long term(long word) {
        return word >>> HOLDER_BITS;
    }

    private static int leader(long word) {
        return (int) (word & (1L << HOLDER_BITS) - 1) - 1;
    }

    /**
     * Becomes the leader, unless another thread leads.
     *
     * @return whether this thread leads now; also true if it did before
     * @throws FabricException if the thread is interrupted, or a lane cannot be connected; then it does not become the
     *     leader
     * @throws LostHolderException if the leader is lost, and was not cut off within the loss time-out
     * @throws OutcomeUnknownException if something that this thread posted before may be lost; then it has not tried
     */
    public boolean tryLead(ComputeThread ct) {
        ct.place(); // or a loss would be noticed, and not reported, by what follows
        long seen = load(ct);
        while (isFree(seen, ct)) {
            long desired = word(term(seen) + 1, ct.id());
            try {
                long found = swap(seen, desired, ct);
                seen = found == seen ? desired : found;
            } catch (FabricException e) {
                vacate(desired, ct);
                throw e;
            }
        }
        boolean isLeader = leader(seen) == ct.id();
        if (isLeader && !isLeading()) {
            ct.locks().add(This.pointer(), LockKind.LEADER);
        }
        term = isLeader ? term(seen) : 0;
        return isLeader;
    }

    private boolean isFree(long seen, ComputeThread ct) {
        int leader = leader(seen);
        if (leader != NOBODY && ct.peers().isLostAndNotCutOff(leader)) {
            throw LostHolderException.notCutOff(toString(), leader, ct.peers().nodeOf(leader));
        }
        return leader == NOBODY || ct.peers().isLost(leader);
    }

    /**
     * Leaves the slot to the others.
     *
     * @throws IllegalStateException if this thread does not lead, or not through this handle
     * @throws OutcomeUnknownException if something that this thread posted may be lost; then it still leads
     * @throws FabricException if what it posted cannot be placed now; then it still leads
     */
    public void resign(ComputeThread ct) {
        long own = word(term(), ct.id());
        ct.place(); // the next leader may read on another lane
        try {
            swap(own, word(term, NOBODY), ct);
        } catch (NodeLostException e) {
            throw e;
        } catch (FabricException e) {
            vacate(own, ct);
        }
        ct.locks().remove(This.pointer());
        term = 0;
    }

    /** After a swap has failed, which may still take effect: if the word is this one of this thread's, resigns. */
    private void vacate(long own, ComputeThread ct) {
        long pointer = This.pointer();
        Cleanup.run(() -> ct.compareAndSwap(pointer, own, word(term(own), NOBODY)), ct);
    }

    /** Whether this thread leads, through this handle. No round trip. */
    public boolean isLeading() {
        return term > 0;
    }

    /**
     * The term in which this thread leads, from 1: larger than those of all leaders before. No round trip.
     *
     * @throws IllegalStateException if this thread does not lead, or not through this handle
     */
    public long term() {
        if (!isLeading()) {
            throw new IllegalStateException("this thread does not lead through this handle of the " + this);
        }
        return term;
    }

    /**
     * The {@link ComputeThread#id} of the leader; empty if there is none. It may be lost, and may have resigned when
     * this returns.
     */
    public OptionalInt leader(ComputeThread ct) {
        int leader = leader(load(ct));
        return leader == NOBODY ? OptionalInt.empty() : OptionalInt.of(leader);
    }

    /**
     * Frees the slot. No thread may use it any more.
     *
     * @throws IllegalStateException if this thread leads through this handle
     */
    public void destroy(ComputeThread ct) {
        if (isLeading()) {
            throw new IllegalStateException("the leader destroys the " + this + ": it has to resign before");
        }
        This.free(ct);
    }

    /** READs the word, again if its lane breaks. */
    private long load(ComputeThread ct) {
        while (true) {
            try {
                return This.word.load(ct);
            } catch (OutcomeUnknownException e) {
                ct.pause();
            }
        }
    }

    /**
     * Swaps the word, and returns the old value. If the outcome is unknown, tries again, and finds the desired value
     * there if the first attempt took effect: no value comes twice.
     */
    private long swap(long expected, long desired, ComputeThread ct) {
        while (true) {
            try {
                return This.word.compareAndExchange(expected, desired, ct);
            } catch (OutcomeUnknownException e) {
                ct.pause();
            }
        }
    }

    @Override
    public String toString() {
        return "leader slot at (" + RdmaPtr.toString(This.pointer()) + ")";
    }
}
