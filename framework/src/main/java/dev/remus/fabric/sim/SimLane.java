package dev.remus.fabric.sim;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Completions;
import dev.remus.fabric.Lane;
import dev.remus.fabric.LaneBooks;
import dev.remus.fabric.Operation;
import java.util.SplittableRandom;

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

    /** A lane that comes late does at most so many steps before. */
    private static final int LATEST_STEP = 8;

    private static final int MOST_MEETINGS = 3;

    /** A word on its way to memory, and the request it belongs to. */
    private record Unplaced(SimSegment segment, long offset, long value, long request) {}

    private final Simulator simulator;
    private final SimLink link;
    private final int index;
    private final LaneBooks books;

    /** Requests that have been posted and not completed: {@code count} from {@code first} on, in a ring that grows. */
    private SimRequest[] ring = {new SimRequest(), new SimRequest()};

    private int first;
    private int count;
    private final UnplacedWords unplaced = new UnplacedWords();
    private boolean delayed;

    /** When the last request is to be executed, if operations take time. */
    private long lastDue;

    /** Whether its next atomic waits for that of another lane to be through. */
    private boolean blocked;

    /** After so many steps it stands still; 0 if it does not. */
    private int stepsBeforeLate;

    /** How many of others' requests to the same words it waits for; 0 if it does not stand still. */
    private int meetings;

    /** For how long at most. */
    private long patience;

    SimLane(Simulator simulator, SimLink link, int index) {
        super(simulator.newAgent());
        this.simulator = simulator;
        this.link = link;
        this.index = index;
        this.books = new LaneBooks(this, link, DEPTH);
    }

    @Override
    public String name() {
        return "lane " + index + " from " + link.computeNode() + " to " + link.memoryNode();
    }

    @Override
    public int depth() {
        return books.depth();
    }

    @Override
    public void post(Chain chain) {
        synchronized (simulator) {
            books.post(chain);
            SimTask poster = simulator.current();
            for (int i = 0; i < chain.size(); i++) {
                if (count == ring.length) {
                    grow();
                }
                SimRequest r = posted(count++);
                r.set(chain, i, simulator.nextRequest(), poster);
                lastDue = Math.max(lastDue, simulator.due(r, link));
                r.due = lastDue;
                if (poster != null && chain.isSignalled(i)) {
                    poster.requests++;
                }
                link.memory().comes(r);
            }
            refresh();
        }
    }

    /** The request that has been posted as number {@code i} of those that have not completed. */
    private SimRequest posted(int i) {
        return ring[(first + i) & (ring.length - 1)];
    }

    private void grow() {
        SimRequest[] larger = new SimRequest[2 * ring.length];
        for (int i = 0; i < larger.length; i++) {
            larger[i] = i < count ? posted(i) : new SimRequest();
        }
        ring = larger;
        first = 0;
    }

    /** Whether the scheduler may pick this lane follows from what there is to do. */
    private void refresh() {
        if (delayed) {
            return; // it is looked at again when the delay is over
        }
        long early = nextDue() - simulator.now();
        if (early > 0) {
            delayed = true;
            simulator.delay(this, early);
            return;
        }
        if (hasWork() && !isStuck()) {
            simulator.makeReady(this);
        } else {
            simulator.makeUnready(this);
        }
    }

    /** When the next request is to be executed; at once, where operations take no time or there is something else to do. */
    private long nextDue() {
        if (!unplaced.isEmpty() || books.isBroken() || books.isClosed()) {
            return 0;
        }
        for (int i = 0; i < count; i++) {
            if (!posted(i).isDone()) {
                return posted(i).due;
            }
        }
        return 0;
    }

    /** Whether all that it could do now is an atomic that has to wait for that of another lane. */
    private boolean isStuck() {
        return blocked && unplaced.isEmpty() && !books.isBroken() && overtakers() == 1;
    }

    /** It may try its atomic again. */
    void admit() {
        blocked = false;
        refresh();
    }

    /** After a step: the next may have to wait. */
    private void delayNext() {
        if (link.slowness() > 0 && hasWork() && !isStuck()) {
            delayed = true;
            simulator.delay(this, link.slowness());
        } else {
            refresh();
        }
    }

    @Override
    boolean isAsleep() {
        return delayed;
    }

    @Override
    public boolean isExposed() {
        boolean exposed = !unplaced.isEmpty();
        for (int i = 0; i < count && !exposed; i++) {
            exposed = posted(i).poster == null || posted(i).poster.isExposed();
        }
        return exposed;
    }

    @Override
    public boolean isPartOf(Agent thread) {
        boolean part = false;
        for (int i = 0; i < count && !part; i++) {
            part = posted(i).poster == thread;
        }
        return part;
    }

    boolean hasWork() {
        return !books.isClosed() && !(count == 0 && unplaced.isEmpty());
    }

    // ------------------------------------------------------------------------------------------------ going on

    /** One step of one of the things that can be done now: on this lane, unless an earlier request is on another. */
    void advance() {
        delayed = false;
        if (stepsBeforeLate > 0 && --stepsBeforeLate == 0 && hasWork()) {
            delayed = true;
            link.memory().await(this);
            simulator.delay(this, patience);
            return;
        }
        if (meetings > 0 && stepsBeforeLate == 0) { // nobody came, or nobody was to be waited for
            goOn();
        }
        if (!simulator.may(Weakness.UNORDERED_LANES) && !simulator.isTimed()) {
            SimLane oldest = link.laneOfOldestRequest();
            if (oldest != this && oldest.hasWork()) {
                oldest.advanceThis();
                refresh();
                return;
            }
        }
        advanceThis();
    }

    // ------------------------------------------------------------------------------------------------ coming late

    /** After a few steps, stands still until others have come to the words of its requests, or for long. */
    void comeLate(SplittableRandom random) {
        if (meetings == 0) {
            stepsBeforeLate = 1 + (random.nextBoolean() ? 0 : random.nextInt(LATEST_STEP));
            meetings = 1 + random.nextInt(MOST_MEETINGS);
            patience = simulator.drawPatience(random);
        }
    }

    /** Somebody has posted a request: that may be what it has stood still for. */
    void meets(SimRequest other) {
        if (other.operation != Operation.READ && touches(other) && --meetings == 0) {
            goOn();
            delayed = false;
            refresh();
        }
    }

    private void goOn() {
        meetings = 0;
        link.memory().goesOn(this);
    }

    /** Whether a request of somebody else is for words that this lane is to read or change, or has not changed yet. */
    private boolean touches(SimRequest other) {
        SimSegment segment = link.find(other.segment);
        long end = other.offset + (long) other.words * Long.BYTES;
        boolean touches = segment != null && unplaced.isFor(segment, other.offset, end);
        for (int i = 0; i < count && !touches; i++) {
            SimRequest r = posted(i);
            touches = !r.isDone()
                    && r.poster != other.poster
                    && r.segment.equals(other.segment)
                    && r.offset < end
                    && other.offset < r.offset + (long) r.words * Long.BYTES;
        }
        return touches;
    }

    // ------------------------------------------------------------------------------------------------ one step

    /** The number of the first request that has not completed; the largest number there is if all have. */
    long oldestRequest() {
        return count == 0 ? Long.MAX_VALUE : posted(0).number;
    }

    private void advanceThis() {
        if (books.isBroken()) {
            flush();
            if (!unplaced.isEmpty()) {
                placeNext(); // what was acknowledged arrives
            }
        } else if (hasWork()) {
            int possible = overtakers();
            int choice = simulator.choose(possible + (unplaced.isEmpty() ? 0 : 1));
            if (choice < possible) {
                step(possible(choice));
            } else {
                placeNext();
            }
        }
        collect();
        delayNext();
    }

    /** How many of the posted requests may go on now: the first that is not done, and who may overtake it. */
    private int overtakers() {
        int found = 0;
        for (int i = 0; i < count; i++) {
            SimRequest r = posted(i);
            if (r.isDone()) {
                continue;
            }
            if (found > 0 && (r.operation == Operation.READ || r.fenced)) {
                break;
            }
            found++;
            if (r.operation != Operation.READ || !simulator.may(Weakness.OVERTAKEN_READS)) {
                break;
            }
        }
        return found;
    }

    private SimRequest possible(int choice) {
        int found = 0;
        for (int i = 0; i < count; i++) {
            SimRequest r = posted(i);
            if (!r.isDone() && found++ == choice) {
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
        return unplaced.isEmpty() || unplaced.firstRequest() > r.number;
    }

    /** Lets a word arrive; with it, where transfers are not torn, the rest of its WRITE. */
    private void placeNext() {
        long request = unplaced.firstRequest();
        do {
            unplaced.place();
        } while (!isTorn() && !unplaced.isEmpty() && unplaced.firstRequest() == request);
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
            noteSeen(r, segment);
            finish(r, CompletionStatus.SUCCESS);
        }
    }

    /** Where its thread has looked last: there it expects something if it waits now. */
    private static void noteSeen(SimRequest r, SimSegment segment) {
        if (r.poster != null) {
            r.poster.saw(segment, r.offset, segment.get(r.offset));
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
                unplaced.add(segment, offset, value, r.number);
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
                if (!blocked) {
                    blocked = true;
                    segment.block(this, r.offset); // until the atomic of another lane is through
                }
                return;
            }
            if (blocked) { // it was ready for something else, and came first
                blocked = false;
                segment.unblock(this, r.offset);
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
        noteSeen(r, segment);
        finish(r, CompletionStatus.SUCCESS);
    }

    private void finish(SimRequest r, CompletionStatus status) {
        if (!r.isDone()) {
            r.status = status;
            noteEnd(r);
        }
    }

    private void noteEnd(SimRequest r) {
        if (simulator.isTraced()) {
            simulator.note(r + ": " + r.status);
        }
    }

    private void breakWith(SimRequest r, CompletionStatus status) {
        books.breakDown();
        releaseWords();
        finish(r, status);
        flush();
    }

    private void flush() {
        for (int i = 0; i < count; i++) {
            finish(posted(i), CompletionStatus.FLUSHED);
        }
    }

    /** Atomics that have read and will not write keep nobody waiting. */
    private void releaseWords() {
        link.memory().admitAll();
        for (int i = 0; i < count; i++) {
            SimRequest r = posted(i);
            if (r.hasRead && !r.isDone()) {
                link.find(r.segment).end(r.offset);
            }
        }
    }

    /**
     * Breaks this lane. Of what is outstanding, more or less has been executed, which nobody is told; WRITEs that were
     * executed arrive.
     */
    void breakDown(SplittableRandom random) {
        if (books.isBroken() || books.isClosed()) {
            return;
        }
        for (int steps = random.nextInt(2 * count + 1); steps > 0 && overtakers() > 0; steps--) {
            step(possible(random.nextInt(overtakers())));
        }
        if (!books.isBroken()) {
            loseAcknowledgements();
        }
        collect();
        refresh();
    }

    private void loseAcknowledgements() {
        books.breakDown();
        releaseWords();
        for (int i = 0; i < count; i++) {
            SimRequest r = posted(i);
            r.status = i == 0 ? CompletionStatus.RETRY_EXCEEDED : CompletionStatus.FLUSHED; // also if it was executed
            noteEnd(r);
        }
    }

    /** Requests complete in the order posted. */
    private void collect() {
        while (count > 0 && posted(0).isDone()) {
            SimRequest r = posted(0);
            first = (first + 1) & (ring.length - 1);
            count--;
            books.end(r.signalled, r.id, r.status);
            if (r.signalled && r.poster != null) {
                simulator.arrived(r);
            }
        }
    }

    // ------------------------------------------------------------------------------------------------ polling

    @Override
    public int poll(Completions into) {
        synchronized (simulator) {
            if (!simulator.isInside() && !books.isClosed()) {
                link.fabric().advance(STEPS_OF_A_POLL);
            }
            return books.poll(into);
        }
    }

    @Override
    public boolean isBroken() {
        synchronized (simulator) {
            return books.isBroken();
        }
    }

    @Override
    public void reconnect() {
        synchronized (simulator) {
            books.reconnect();
        }
    }

    void close() {
        synchronized (simulator) {
            releaseWords();
            while (!unplaced.isEmpty() && !link.isGone()) {
                placeNext(); // what was acknowledged arrives
            }
            books.close();
            refresh();
        }
    }

    @Override
    public String toString() {
        return name();
    }
}
