package dev.remus.fabric.shm;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Completions;
import dev.remus.fabric.Lane;
import dev.remus.fabric.LaneFullException;
import dev.remus.fabric.LocalMemory;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.Operation;
import dev.remus.fabric.RemoteSegment;
import java.lang.ref.Reference;

/**
 * A lane whose requests are executed by the posting thread, in the order posted, before {@link #post} returns. It keeps
 * the books of a queue pair all the same (depth, keys, bounds, breaking and flushing), so that what runs here also runs
 * on one.
 */
final class ShmLane implements Lane {
    private static final int DEPTH = 256;

    private final ShmLink link;
    private final int number;

    /** Completions that wait to be polled: a ring. {@code retires} is how many requests each one takes off the count. */
    private final long[] id = new long[DEPTH];

    private final CompletionStatus[] status = new CompletionStatus[DEPTH];
    private final int[] retires = new int[DEPTH];
    private int first;
    private int waiting;

    private int outstanding;
    private int sinceCompletion;
    private boolean broken;
    private boolean closed;

    ShmLane(ShmLink link, int number) {
        this.link = link;
        this.number = number;
    }

    @Override
    public int depth() {
        return DEPTH;
    }

    @Override
    public synchronized void post(Chain chain) {
        checkOpen();
        check(chain);
        for (int i = 0; i < chain.size(); i++) {
            CompletionStatus result = broken ? CompletionStatus.FLUSHED : execute(chain, i);
            outstanding++;
            sinceCompletion++;
            if (result != CompletionStatus.SUCCESS) {
                broken = true;
                complete(chain.isSignalled(i) ? chain.id(i) : 0, result);
            } else if (chain.isSignalled(i)) {
                complete(chain.id(i), result);
            }
        }
    }

    private void check(Chain chain) {
        int n = chain.size();
        if (n == 0 || n > DEPTH) {
            throw new IllegalArgumentException(this + ": a chain of " + n + " requests: needs 1 to " + DEPTH);
        }
        for (int i = 0; i < n; i++) {
            if (chain.segment(i).memoryNode() != link.memoryNode()) {
                throw new IllegalArgumentException(this + ": request " + i + " of the chain goes to Memory Node "
                        + chain.segment(i).memoryNode());
            }
        }
        if (outstanding + n > DEPTH) {
            throw new LaneFullException(this + ": " + outstanding + " requests are outstanding, " + n
                    + " more do not fit into its depth of " + DEPTH);
        }
    }

    private void complete(long id, CompletionStatus status) {
        int last = (first + waiting) % DEPTH;
        this.id[last] = id;
        this.status[last] = status;
        this.retires[last] = sinceCompletion;
        sinceCompletion = 0;
        waiting++;
    }

    private CompletionStatus execute(Chain chain, int i) {
        if (link.wasFoundLost()) {
            return CompletionStatus.PEER_LOST;
        }
        RemoteSegment segment = chain.segment(i);
        int length = chain.length(i);
        if (segment.index() < 0
                || segment.index() >= link.segments()
                || link.segment(segment.index()).rkey() != segment.rkey()) {
            return CompletionStatus.REMOTE_ACCESS_ERROR;
        }
        Mapping mapping = link.mapping(segment.index());
        long offset = chain.offset(i);
        if (offset < 0 || offset > mapping.bytes() - length) {
            return CompletionStatus.REMOTE_ACCESS_ERROR;
        }
        execute(chain, i, mapping.address() + offset, length);
        Reference.reachabilityFence(mapping);
        return CompletionStatus.SUCCESS;
    }

    private static void execute(Chain chain, int i, long remote, int length) {
        LocalMemory local = chain.local(i);
        long localOffset = chain.localOffset(i);
        Operation operation = chain.operation(i);
        switch (operation) {
            case READ -> Words.read(remote, local.address() + localOffset, length);
            case WRITE -> Words.write(local.address() + localOffset, remote, length);
            case COMPARE_AND_SWAP ->
                local.putLong(localOffset, Words.compareAndSwap(remote, chain.operand(i), chain.swap(i)));
            case FETCH_AND_ADD -> local.putLong(localOffset, Words.fetchAndAdd(remote, chain.operand(i)));
        }
        Reference.reachabilityFence(local);
    }

    @Override
    public synchronized int poll(Completions into) {
        checkOpen();
        into.clear();
        while (waiting > 0 && !into.isFull()) {
            into.add(id[first], status[first]);
            outstanding -= retires[first];
            first = (first + 1) % DEPTH;
            waiting--;
        }
        return into.size();
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
        if (waiting > 0) {
            throw new IllegalStateException(this + ": " + waiting + " completions have not been polled");
        }
        if (link.isLost()) {
            throw new NodeLostException(link.memoryNode(), this + ": Memory Node " + link.memoryNode() + " is gone");
        }
        broken = false;
        outstanding = 0;
        sinceCompletion = 0;
    }

    synchronized void close() {
        closed = true;
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
