package dev.remus.fabric.sim;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Completions;
import dev.remus.fabric.Lane;
import dev.remus.fabric.LaneFullException;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.Operation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A lane that executes its requests step by step, when the scheduler picks it.
 *
 * <pre>
 *   posted: requests in order          executed WRITEs, word by word        memory
 *  +-----+-----+-----+-----+          +------+------+------+
 *  | r0  | r1  | r2  | ... |  ----->  | w    | w    | ...  |  ----->  words of the segments
 *  +-----+-----+-----+-----+          +------+------+------+
 *     |     a WRITE or atomic            unplaced: others do not
 *     |     may overtake READs           see them yet
 *     v
 *  completions, in the order posted
 * </pre>
 *
 * <p>A READ or atomic of this lane waits until the WRITEs posted before it have left for memory: that is what makes a
 * completed READ a proof of placement.
 */
final class SimLane extends Agent implements Lane {
    private static final int DEPTH = 256;
    private static final int STEPS_OF_A_POLL = 2048;

    /** A word on its way to memory, and the request it belongs to. */
    private record Unplaced(SimSegment segment, long offset, long value, long request) {}

    private final Simulator simulator;
    private final SimLink link;
    private final int index;
    private final List<SimRequest> posted = new ArrayList<>();
    private final Deque<Unplaced> unplaced = new ArrayDeque<>();
    private final Deque<SimRequest> completed = new ArrayDeque<>();
    private long requests;
    private int outstanding;
    private int sinceCompletion;
    private final Deque<Integer> retires = new ArrayDeque<>();
    private boolean broken;
    private boolean closed;

    SimLane(Simulator simulator, SimLink link, int index) {
        super(simulator.newAgent());
        this.simulator = simulator;
        this.link = link;
        this.index = index;
    }

    @Override
    public String name() {
        return "lane " + index + " from " + link.computeNode() + " to " + link.memoryNode();
    }

    @Override
    public int depth() {
        return DEPTH;
    }

    @Override
    public void post(Chain chain) {
        synchronized (simulator) {
            checkOpen();
            check(chain);
            for (int i = 0; i < chain.size(); i++) {
                posted.add(new SimRequest(chain, i, requests++, chain.isSignalled(i) ? simulator.requested() : null));
                outstanding++;
            }
            refresh();
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

    /** Whether the scheduler may pick this lane follows from what there is to do. */
    private void refresh() {
        if (hasWork()) {
            simulator.makeReady(this);
        } else {
            simulator.makeUnready(this);
        }
    }

    boolean hasWork() {
        return !closed && !(posted.isEmpty() && unplaced.isEmpty());
    }

    // ------------------------------------------------------------------------------------------------ going on

    /** One step of one of the things that can be done now. */
    void advance() {
        if (broken) {
            posted.forEach(r -> finish(r, CompletionStatus.FLUSHED));
        } else if (!posted.isEmpty() || !unplaced.isEmpty()) {
            int possible = overtakers();
            int choice = simulator.choose(possible + (unplaced.isEmpty() ? 0 : 1));
            if (choice < possible) {
                step(possible(choice));
            } else {
                placeNext();
            }
        }
        collect();
        refresh();
    }

    /** How many of the posted requests may go on now: the first that is not done, and who may overtake it. */
    private int overtakers() {
        int count = 0;
        for (SimRequest r : posted) {
            if (r.isDone()) {
                continue;
            }
            if (count > 0 && (r.operation == Operation.READ || r.fenced)) {
                break;
            }
            count++;
            if (r.operation != Operation.READ || !simulator.may(Weakness.OVERTAKEN_READS)) {
                break;
            }
        }
        return count;
    }

    private SimRequest possible(int choice) {
        int count = 0;
        for (SimRequest r : posted) {
            if (!r.isDone() && count++ == choice) {
                return r;
            }
        }
        throw new AssertionError("there is no such request");
    }

    private void step(SimRequest r) {
        if (link.isGone()) {
            breakWith(r, CompletionStatus.PEER_LOST);
            return;
        }
        SimSegment segment = link.find(r.segment);
        if (segment == null || r.offset < 0 || r.offset > segment.bytes() - (long) r.words * Long.BYTES) {
            breakWith(r, CompletionStatus.REMOTE_ACCESS_ERROR);
            return;
        }
        if (r.operation == Operation.WRITE) {
            write(r, segment);
        } else if (isPlacedBefore(r)) {
            if (r.operation == Operation.READ) {
                read(r, segment);
            } else {
                change(r, segment);
            }
        } else {
            placeNext();
        }
    }

    private boolean isPlacedBefore(SimRequest r) {
        return unplaced.isEmpty() || unplaced.peekFirst().request() > r.number;
    }

    /** Lets a word arrive; with it, where transfers are not torn, the rest of its WRITE. */
    private void placeNext() {
        Unplaced w;
        do {
            w = unplaced.removeFirst();
            w.segment().set(w.offset(), w.value());
        } while (!isTorn() && !unplaced.isEmpty() && unplaced.peekFirst().request() == w.request());
    }

    private boolean isTorn() {
        return simulator.may(Weakness.TORN_TRANSFERS);
    }

    private void read(SimRequest r, SimSegment segment) {
        do {
            int word = r.takeWord(simulator);
            r.local.putLong(r.localOffset + (long) word * Long.BYTES, segment.get(r.offset + (long) word * Long.BYTES));
        } while (!isTorn() && r.left > 0);
        if (r.left == 0) {
            finish(r, CompletionStatus.SUCCESS);
        }
    }

    /** Takes the data, word by word; once all of it is on its way, the WRITE is acknowledged. */
    private void write(SimRequest r, SimSegment segment) {
        boolean later = simulator.may(Weakness.UNPLACED_WRITES);
        do {
            int word = r.takeWord(simulator);
            long offset = r.offset + (long) word * Long.BYTES;
            long value = r.local.getLong(r.localOffset + (long) word * Long.BYTES);
            if (later || !unplaced.isEmpty()) {
                unplaced.addLast(new Unplaced(segment, offset, value, r.number));
            } else {
                segment.set(offset, value);
            }
        } while ((later || !isTorn()) && r.left > 0);
        if (r.left == 0) {
            finish(r, CompletionStatus.SUCCESS);
        }
    }

    /** An atomic reads and writes in two steps, with no other atomic on that word in between, but perhaps a WRITE. */
    private void change(SimRequest r, SimSegment segment) {
        if (!r.hasRead) {
            if (segment.isBusy(r.offset)) {
                simulator.blocked(this); // until the atomic of another lane is through
                return;
            }
            r.value = segment.get(r.offset);
            r.hasRead = true;
            r.local.putLong(r.localOffset, r.value);
            if (simulator.may(Weakness.SPLIT_ATOMICS)) {
                segment.begin(r.offset);
                return;
            }
        }
        segment.end(r.offset);
        if (r.operation == Operation.FETCH_AND_ADD) {
            segment.set(r.offset, r.value + r.operand);
        } else if (r.value == r.operand) {
            segment.set(r.offset, r.swap);
        } else if (simulator.may(Weakness.FAILED_CAS_WRITES_BACK)) {
            segment.set(r.offset, r.value);
        }
        finish(r, CompletionStatus.SUCCESS);
    }

    private void finish(SimRequest r, CompletionStatus status) {
        if (!r.isDone()) {
            r.status = status;
            simulator.note(r + ": " + status);
        }
    }

    private void breakWith(SimRequest r, CompletionStatus status) {
        broken = true;
        finish(r, status);
        for (SimRequest other : posted) {
            SimSegment segment = link.find(other.segment);
            if (other.hasRead && segment != null) {
                segment.end(other.offset);
            }
            finish(other, CompletionStatus.FLUSHED);
        }
    }

    /** Requests complete in the order posted. */
    private void collect() {
        int done = 0;
        while (done < posted.size() && posted.get(done).isDone()) {
            SimRequest r = posted.get(done++);
            sinceCompletion++;
            if (r.signalled || r.status != CompletionStatus.SUCCESS) {
                completed.addLast(r);
                retires.addLast(sinceCompletion);
                sinceCompletion = 0;
                simulator.arrived(r.poster);
            }
        }
        posted.subList(0, done).clear();
    }

    // ------------------------------------------------------------------------------------------------ polling

    @Override
    public int poll(Completions into) {
        synchronized (simulator) {
            checkOpen();
            if (!simulator.isInside()) {
                link.fabric().advance(STEPS_OF_A_POLL);
            }
            into.clear();
            while (!completed.isEmpty() && !into.isFull()) {
                SimRequest r = completed.removeFirst();
                into.add(r.signalled ? r.id : 0, r.status);
                outstanding -= retires.removeFirst();
            }
            return into.size();
        }
    }

    @Override
    public boolean isBroken() {
        synchronized (simulator) {
            return broken;
        }
    }

    @Override
    public void reconnect() {
        synchronized (simulator) {
            checkOpen();
            if (!broken) {
                return;
            }
            if (!completed.isEmpty() || !posted.isEmpty()) {
                throw new IllegalStateException(this + ": completions have not been polled");
            }
            if (link.isGone()) {
                throw new NodeLostException(
                        link.memoryNode(), this + ": Memory Node " + link.memoryNode() + " is gone");
            }
            broken = false;
            outstanding = 0;
            sinceCompletion = 0;
        }
    }

    void close() {
        synchronized (simulator) {
            while (!unplaced.isEmpty() && !link.isGone()) {
                placeNext(); // what was acknowledged arrives
            }
            closed = true;
            refresh();
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    @Override
    public String toString() {
        return name();
    }
}
