// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.fabric.Chain;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.Operation;
import dev.remus.fabric.RemoteSegment;
import java.io.IOException;

/**
 * The outstanding requests of a lane: posted, not completed. They are numbered in the order posted; the slot of a
 * request is its number modulo the depth.
 *
 * <pre>
 *  numbers   ... first ............ submitted ............ next ...
 *                | with the device  | held back by a fence | free |
 *                |   outstanding: at most the depth        |
 * </pre>
 *
 * <p>Allocates nothing. Not thread-safe: the lane's lock protects it.
 */
final class SendQueue {
    /** Notifies a device. */
    interface Doorbell {
        /**
         * Hands over a list of requests, as laid out by {@link WorkRequests}, of which the device is notified once.
         *
         * @throws IOException if it refuses one; it may have taken those before
         */
        void ring(long list) throws IOException;
    }

    /** The id of {@link #mark}. The ids of requests are their numbers, which are not negative. */
    static final long MARK = -10;

    private final int mask;
    private final int inlineBytes;
    private boolean fencesByWaiting;
    private final WorkRequests requests;
    private final WorkRequests mark = new WorkRequests(1);

    // By slot. Local memory is held here, as it must stay registered while the device may use it.
    private final long[] id;
    private final boolean[] signalled;
    private final boolean[] fenced;
    private final boolean[] reads;
    private final LocalBuffer[] local;

    private long first;
    private long submitted;
    private long next;
    private int signalledOutstanding;
    private int fencedOutstanding;

    /** The number of the last READ or atomic that was submitted. */
    private long lastRead = -1;

    /** All requests before this number are known to have completed. */
    private long completed;

    private boolean marked;

    private long doorbells;

    /**
     * @param depth the most requests that may be outstanding, a power of two
     * @param fencesByWaiting whether the device's own fences cannot be relied on
     * @param inlineBytes how many bytes of a WRITE can be part of its request
     */
    SendQueue(int depth, boolean fencesByWaiting, int inlineBytes) {
        this.mask = depth - 1;
        this.inlineBytes = inlineBytes;
        this.fencesByWaiting = fencesByWaiting;
        this.requests = new WorkRequests(depth);
        this.id = new long[depth];
        this.signalled = new boolean[depth];
        this.fenced = new boolean[depth];
        this.reads = new boolean[depth];
        this.local = new LocalBuffer[depth];
        mark.set(0, MARK, WorkRequests.WRITE, WorkRequests.SIGNALED);
        mark.setEmpty(0);
        mark.setRemote(0, 0, 0);
    }

    /** Relies on the device's own fences from now on. */
    void useDeviceFences() {
        fencesByWaiting = false;
    }

    /** The requests that the device gets, by slot. */
    WorkRequests requests() {
        return requests;
    }

    boolean isEmpty() {
        return first == next;
    }

    int outstanding() {
        return (int) (next - first);
    }

    /** Whether a signalled request is outstanding. */
    boolean hasSignalled() {
        return signalledOutstanding > 0;
    }

    /** The number of the earliest outstanding request. */
    long first() {
        return first;
    }

    /** The number of the first request that the device does not have yet. */
    long submitted() {
        return submitted;
    }

    /** The number of the next request to be added. */
    long next() {
        return next;
    }

    /** The id that its poster gave to a request, which may just have been retired. */
    long id(long sequence) {
        return id[(int) sequence & mask];
    }

    /** Adds a chain, for which there must be room. */
    void add(Chain chain) {
        for (int i = 0; i < chain.size(); i++) {
            set((int) next & mask, next, chain, i);
            next++;
        }
    }

    private void set(int slot, long sequence, Chain chain, int i) {
        Operation operation = chain.operation(i);
        boolean isSignalled = chain.isSignalled(i);
        LocalBuffer memory = chain.local(i);
        RemoteSegment segment = chain.segment(i);
        long remote = segment.address() + chain.offset(i);
        id[slot] = chain.id(i);
        signalled[slot] = isSignalled;
        fenced[slot] = chain.isFenced(i);
        reads[slot] = operation != Operation.WRITE;
        local[slot] = memory;
        if (isSignalled) {
            signalledOutstanding++;
        }
        if (fenced[slot]) {
            fencedOutstanding++;
        }
        int flags = (isSignalled ? WorkRequests.SIGNALED : 0)
                | (fenced[slot] && !fencesByWaiting ? WorkRequests.FENCE : 0)
                | (operation == Operation.WRITE && takesDataNow(chain.length(i)) ? WorkRequests.INLINE : 0);
        requests.set(slot, sequence, opcode(operation), flags);
        requests.setLocal(slot, memory.address() + chain.localOffset(i), chain.length(i), memory.localKey());
        if (operation == Operation.READ || operation == Operation.WRITE) {
            requests.setRemote(slot, remote, segment.rkey());
        } else {
            requests.setRemote(slot, remote, segment.rkey(), chain.operand(i), chain.swap(i));
        }
    }

    /**
     * Whether the data of a WRITE can be taken when it is posted. Behind a fence it cannot: the WRITE may send what an
     * earlier READ or atomic is still to bring.
     */
    private boolean takesDataNow(long length) {
        return length <= inlineBytes && fencedOutstanding == 0;
    }

    private static int opcode(Operation operation) {
        return switch (operation) {
            case READ -> WorkRequests.READ;
            case WRITE -> WorkRequests.WRITE;
            case COMPARE_AND_SWAP -> WorkRequests.COMPARE_AND_SWAP;
            case FETCH_AND_ADD -> WorkRequests.FETCH_AND_ADD;
        };
    }

    /**
     * Hands requests over to the device, in one call, up to a fence that has to wait. An empty WRITE, the mark, then
     * follows them: its completion shows that all of them have completed.
     */
    void submit(Doorbell doorbell) throws IOException {
        if (marked) {
            return;
        }
        long end = submitted;
        while (end < next && !mustWait((int) end & mask)) {
            int slot = (int) end & mask;
            if (reads[slot]) {
                lastRead = end;
            }
            if (end > submitted) {
                requests.setNext((int) (end - 1) & mask, requests.address(slot));
            }
            end++;
        }
        long list = end > submitted ? requests.address((int) submitted & mask) : mark.address(0);
        if (end < next) {
            marked = true;
            if (end > submitted) {
                requests.setNext((int) (end - 1) & mask, mark.address(0));
            }
        } else if (end == submitted) {
            return;
        }
        submitted = end;
        doorbells++;
        doorbell.ring(list);
    }

    /** How often the device was notified. */
    long doorbells() {
        return doorbells;
    }

    /** Whether a request was added that {@link #submit} would hand over now. */
    boolean isAnyToSubmit() {
        return submitted < next && !marked;
    }

    /**
     * Whether a fence must wait here: on Soft-RoCE, a request with a fence flag never completes if it is retransmitted.
     */
    private boolean mustWait(int slot) {
        return fencesByWaiting && fenced[slot] && lastRead >= Math.max(first, completed);
    }

    /** Whether a mark is outstanding: no request is handed over before it has completed. */
    boolean isMarked() {
        return marked;
    }

    /** Resumes after a fence. */
    void markHasCompleted(Doorbell doorbell) throws IOException {
        marked = false;
        completed = submitted;
        submit(doorbell);
    }

    /** Removes the requests from this number on, as if they had not been added. */
    void removeFrom(long start) {
        for (long sequence = start; sequence < next; sequence++) {
            retire((int) sequence & mask);
        }
        next = start;
        submitted = Math.min(submitted, start);
    }

    private void retire(int slot) {
        local[slot] = null;
        if (signalled[slot]) {
            signalledOutstanding--;
        }
        if (fenced[slot]) {
            fencedOutstanding--;
        }
    }

    /** Removes the requests up to this number, which have completed. */
    void retireUpTo(long last) {
        while (first <= last) {
            retire((int) first & mask);
            first++;
        }
    }

    /** Removes the earliest request; returns its id if it was signalled, otherwise 0. */
    long retireFirst() {
        int slot = (int) first & mask;
        long name = signalled[slot] ? id[slot] : 0;
        retire(slot);
        first++;
        return name;
    }

    /** Restarts with a new queue pair, which has no requests yet. To be called while this queue is empty. */
    void restart() {
        submitted = next;
        lastRead = -1;
        completed = next;
        marked = false;
    }
}
