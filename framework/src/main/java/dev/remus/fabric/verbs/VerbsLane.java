package dev.remus.fabric.verbs;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Completions;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Lane;
import dev.remus.fabric.LaneFullException;
import dev.remus.fabric.LocalMemory;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.Operation;
import dev.remus.fabric.RemoteSegment;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * A queue pair that many threads use. Requests get numbers in the order posted; the slot of a request is its number modulo
 * the depth.
 *
 * <pre>
 *  numbers   ... first ............ submitted ............ next ...
 *                | with the device  | held back by a fence | free |
 *                |   outstanding: at most the depth        |
 * </pre>
 *
 * <p>A completion of the device names the number of its request. Requests of a queue pair complete in order, so it also
 * tells that all before it have completed, which report nothing if they were not signalled. When one fails, all behind it
 * are flushed: the device does the same, and what it says about them is not waited for.
 */
final class VerbsLane implements Lane {
    /** The id of {@link #mark}; those of requests are not negative. */
    private static final long MARK = -10;

    /** How long the device may be silent about what it has to complete; it gives up by itself long before. */
    static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(45);

    private final VerbsLink link;
    private final int number;
    private final int depth;
    private final int mask;
    private final boolean fencesByWaiting;

    private final WorkRequests requests;
    private final WorkRequests mark = new WorkRequests(1);
    private final WorkCompletions arrived;
    private int arrivedNext;
    private int arrivedEnd;

    // By slot. Local memory is held here, as it must stay registered while the device may use it.
    private final long[] id;
    private final boolean[] signalled;
    private final boolean[] fenced;
    private final boolean[] reads;
    private final LocalMemory[] local;

    private Connection connection;
    private long first;
    private long submitted;
    private long next;
    private int signalledOutstanding;

    /** The last READ or atomic that was submitted, and up to where everything is known to have completed. */
    private long lastRead = -1;

    private long completed;
    private boolean marked;

    private boolean broken;
    private CompletionStatus nextFailure = CompletionStatus.FLUSHED;
    private boolean closed;

    /** What {@link #watch} saw when something last moved. */
    private long seenFirst;

    private long movedAt = System.nanoTime();

    VerbsLane(VerbsLink link, int number, Connection connection, DeviceLimits device) {
        this.link = link;
        this.number = number;
        this.connection = connection;
        this.depth = device.depth();
        this.mask = depth - 1;
        this.fencesByWaiting = device.emulated();
        this.requests = new WorkRequests(depth);
        this.arrived = new WorkCompletions(depth);
        this.id = new long[depth];
        this.signalled = new boolean[depth];
        this.fenced = new boolean[depth];
        this.reads = new boolean[depth];
        this.local = new LocalMemory[depth];
        mark.set(0, MARK, WorkRequests.WRITE, WorkRequests.SIGNALED);
        mark.setEmpty(0);
        mark.setRemote(0, 0, 0);
    }

    /** Its queue pair, for who uses it in the place of this lane. */
    Connection connection() {
        return connection;
    }

    @Override
    public int depth() {
        return depth;
    }

    @Override
    public synchronized void post(Chain chain) {
        checkOpen();
        check(chain);
        CompletionStatus loss = link.loss();
        if (loss != null) {
            peerLost(loss);
        }
        long start = next;
        for (int i = 0; i < chain.size(); i++) {
            set((int) next & mask, next, chain, i);
            next++;
        }
        if (!broken) {
            try {
                submit();
            } catch (IOException e) {
                takeBack(start);
                fail(CompletionStatus.FLUSHED);
                throw new FabricException(
                        this + ": the device refused a chain of " + chain.size() + " requests, of which it may have "
                                + "executed some: " + e.getMessage(),
                        e);
            }
        }
    }

    private void check(Chain chain) {
        int n = chain.size();
        if (n == 0 || n > depth) {
            throw new IllegalArgumentException(this + ": a chain of " + n + " requests: needs 1 to " + depth);
        }
        for (int i = 0; i < n; i++) {
            if (chain.segment(i).memoryNode() != link.memoryNode()) {
                throw new IllegalArgumentException(this + ": request " + i + " of the chain goes to Memory Node "
                        + chain.segment(i).memoryNode());
            }
            if (chain.local(i).localKey() == 0) {
                throw new IllegalArgumentException(this + ": request " + i + " of the chain names local memory that is "
                        + "not registered: allocate it from the endpoint");
            }
        }
        if (next - first + n > depth) {
            throw new LaneFullException(this + ": " + (next - first) + " requests are outstanding, " + n
                    + " more do not fit into its depth of " + depth);
        }
    }

    /** Puts request {@code i} of a chain into a slot. */
    private void set(int slot, long sequence, Chain chain, int i) {
        Operation operation = chain.operation(i);
        boolean isSignalled = chain.isSignalled(i);
        LocalMemory memory = chain.local(i);
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
        int flags =
                (isSignalled ? WorkRequests.SIGNALED : 0) | (fenced[slot] && !fencesByWaiting ? WorkRequests.FENCE : 0);
        requests.set(slot, sequence, opcode(operation), flags);
        requests.setLocal(slot, memory.address() + chain.localOffset(i), chain.length(i), memory.localKey());
        if (operation == Operation.READ || operation == Operation.WRITE) {
            requests.setRemote(slot, remote, segment.rkey());
        } else {
            requests.setRemote(slot, remote, segment.rkey(), chain.operand(i), chain.swap(i));
        }
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
     * Hands requests over to the device, in one call, up to a fence that has to wait. In front of that comes a WRITE of
     * nothing: when it has completed, everything before it has.
     */
    private void submit() throws IOException {
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
        Verbs.postSend(connection.pair().handle(), list);
    }

    /** Soft-RoCE can lose a request with the flag of a fence for good, if it has to be retransmitted. */
    private boolean mustWait(int slot) {
        return fencesByWaiting && fenced[slot] && lastRead >= Math.max(first, completed);
    }

    private void takeBack(long start) {
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
    }

    @Override
    public synchronized int poll(Completions into) {
        checkOpen();
        into.clear();
        while (!into.isFull() && (arrivedNext < arrivedEnd || fetch())) {
            take(into);
        }
        while (broken && first < next && !into.isFull() && arrivedNext == arrivedEnd) {
            failNext(into, nextFailure);
        }
        return into.size();
    }

    /** Gets what has completed from the device, and goes on after a fence if that is all that was missing. */
    private boolean fetch() {
        if (broken || first == next) {
            return false;
        }
        try {
            arrivedNext = 0;
            arrivedEnd = arrived.poll(connection.pair().completionQueue());
            if (marked && isMarkAmongArrived()) {
                marked = false;
                completed = submitted;
                submit();
            }
        } catch (IOException e) {
            fail(CompletionStatus.FLUSHED);
            throw new FabricException(this + " is broken: " + e.getMessage(), e);
        }
        return arrivedEnd > 0;
    }

    private boolean isMarkAmongArrived() {
        for (int i = arrivedEnd - 1; i >= 0; i--) {
            if (arrived.id(i) == MARK && arrived.status(i) == WorkCompletions.SUCCESS) {
                return true;
            }
        }
        return false;
    }

    /** Takes the next of the completions that have arrived. */
    private void take(Completions into) {
        long sequence = arrived.id(arrivedNext);
        int status = arrived.status(arrivedNext);
        arrivedNext++;
        if (status == WorkCompletions.SUCCESS) {
            if (sequence != MARK) {
                retireUpTo(sequence);
                into.add(id[(int) sequence & mask], CompletionStatus.SUCCESS);
            }
            return;
        }
        CompletionStatus reason = reason(status);
        retireUpTo((sequence == MARK ? submitted : sequence) - 1);
        broken = true;
        arrivedNext = arrivedEnd = 0;
        failNext(into, reason);
    }

    private void retireUpTo(long last) {
        while (first <= last) {
            retire((int) first & mask);
            first++;
        }
    }

    private void failNext(Completions into, CompletionStatus status) {
        int slot = (int) first & mask;
        into.add(signalled[slot] ? id[slot] : 0, status);
        retire(slot);
        first++;
        nextFailure = CompletionStatus.FLUSHED;
    }

    private CompletionStatus reason(int status) {
        return switch (status) {
            case WorkCompletions.REMOTE_ACCESS, WorkCompletions.REMOTE_INVALID_REQUEST ->
                CompletionStatus.REMOTE_ACCESS_ERROR;
            case WorkCompletions.RETRIES_EXCEEDED, WorkCompletions.RNR_RETRIES_EXCEEDED ->
                connection.hasEnded() ? CompletionStatus.PEER_LOST : CompletionStatus.RETRY_EXCEEDED;
            case WorkCompletions.FLUSHED -> {
                if (broken) {
                    yield nextFailure;
                }
                yield connection.hasEnded() ? CompletionStatus.PEER_LOST : CompletionStatus.FLUSHED;
            }
            default -> CompletionStatus.DEVICE_ERROR;
        };
    }

    /** The Memory Node is gone or does not answer any more: what has not completed yet fails. */
    synchronized void peerLost(CompletionStatus reason) {
        if (!closed && !broken) {
            fail(reason);
        }
    }

    /** Breaks the lane. What the device has completed before is still reported as it says. */
    private void fail(CompletionStatus status) {
        connection.disconnect();
        if (arrivedNext == arrivedEnd) {
            try {
                arrivedNext = 0;
                arrivedEnd = arrived.poll(connection.pair().completionQueue());
            } catch (IOException e) {
                arrivedEnd = 0;
            }
        }
        broken = true;
        nextFailure = status;
    }

    /**
     * To be called about once a second: goes on after a fence for those who do not poll, and breaks the lane if the device
     * has been silent for too long about requests that have to complete.
     */
    synchronized void watch(long now) {
        if (closed || broken) {
            return;
        }
        if (arrivedNext == arrivedEnd) {
            fetch();
        }
        if (first != seenFirst || signalledOutstanding == 0 || arrivedNext < arrivedEnd) {
            seenFirst = first;
            movedAt = now;
        } else if (now - movedAt > STUCK_NANOS) {
            fail(CompletionStatus.RETRY_EXCEEDED);
        }
    }

    @Override
    public synchronized boolean isBroken() {
        return broken;
    }

    @Override
    public synchronized void reconnect() {
        checkOpen();
        if (!broken) {
            return;
        }
        if (first < next) {
            throw new IllegalStateException(this + ": " + (next - first) + " requests have not been polled");
        }
        if (link.isLost()) {
            throw new NodeLostException(link.memoryNode(), this + ": Memory Node " + link.memoryNode() + " is gone");
        }
        Connection fresh = link.dialAgain(this);
        connection.close();
        connection = fresh;
        submitted = next;
        lastRead = -1;
        completed = next;
        marked = false;
        arrivedNext = arrivedEnd = 0;
        nextFailure = CompletionStatus.FLUSHED;
        broken = false;
    }

    synchronized void close() {
        if (!closed) {
            closed = true;
            connection.close();
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    @Override
    public String toString() {
        return "lane " + number + " to Memory Node " + link.memoryNode();
    }
}
