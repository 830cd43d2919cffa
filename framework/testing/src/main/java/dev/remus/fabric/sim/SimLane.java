// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Completions;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Lane;
import dev.remus.fabric.LaneState;
import dev.remus.fabric.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A lane that executes its requests step by step, when the scheduler picks it.
 *
 * <pre>
 *   posted: requests in order          executed WRITEs, word by word        memory
 *  +-----+-----+-----+-----+          +------+------+------+
 *  | r0  | r1  | r2  | ... |  ----->  | w    | w    | ...  |  ----->  words of the segments
 *  +-----+-----+-----+-----+          +------+------+------+
 *     |     a WRITE or atomic may        unplaced: others do not
 *     |     overtake READs and atomics   see them yet
 *     v
 *  completions, in the order posted
 * </pre>
 *
 * <p>A READ or atomic of this lane waits until the WRITEs posted before it are in memory. That makes a completed READ a
 * proof of placement.
 */
final class SimLane extends Stepper implements Lane, SimMemory.StalledLane, SimSegment.Waiter {
    private static final int DEPTH = 256;
    private static final int STEPS_PER_POLL = 2048;

    /** A lane that is to stall executes at most this many steps first. */
    private static final int MAX_STEPS_BEFORE_STALL = 8;

    private static final int MAX_AWAITED_REQUESTS = 3;

    private final Simulator simulator;
    private final SimWorld world;
    private final LaneOwner<SimLane> link;
    private final SimMemory memory;
    private final int index;
    private final LaneState state;

    private final PostedRequests requests;
    private final Responder responder;
    private final Arrivals arrivals = new Arrivals(); // of completions, if operations take time
    private boolean delayed;

    /** When the last request is to be executed, if operations take time. */
    private long lastDue;

    /** Before that time it cannot be connected. */
    private long stuckUntil;

    /** The number of steps after which it stalls; 0 if it does not. */
    private int stepsBeforeStall;

    /** How many requests of others to the same words it waits for; 0 if it does not stall. */
    private int awaitedRequests;

    /** The longest time that it stalls, in nanoseconds. */
    private long stallNanos;

    SimLane(Simulator simulator, LaneOwner<SimLane> link, SimMemory memory, int index) {
        super(simulator.world().newAgent());
        this.simulator = simulator;
        this.world = simulator.world();
        this.link = link;
        this.memory = memory;
        this.index = index;
        this.state = new LaneState(this, link, DEPTH);
        this.requests = new PostedRequests(world.may(Weakness.OVERTAKEN_READS), world.may(Weakness.OVERTAKEN_ATOMICS));
        this.responder = new Responder(world, memory, this);
    }

    @Override
    public String name() {
        return "lane " + index + " from " + link.computeNode() + " to " + link.memoryNode();
    }

    @Override
    public int depth() {
        return state.depth();
    }

    @Override
    public boolean tryPost(Chain chain) {
        synchronized (simulator) {
            boolean posted = tryPostMore(chain);
            start();
            return posted;
        }
    }

    /**
     * The requests wait for the doorbell if Compute Threads are virtual. If no thread rings it, they wait for longer
     * than a run lasts.
     */
    @Override
    public boolean tryPostMore(Chain chain) {
        synchronized (simulator) {
            world.affected(this);
            if (!state.tryPost(chain)) {
                return false;
            }
            SimTask poster = simulator.current();
            for (int i = 0; i < chain.size(); i++) {
                SimRequest r = requests.add(chain, i, world.nextRequest(), poster);
                lastDue = Math.max(lastDue, world.due(chain, i, link.computeNode(), link.memoryNode()));
                r.due = lastDue;
                r.posted(this, world);
                if (poster != null && chain.isSignalled(i)) {
                    poster.requests++;
                }
                memory.announce(r);
            }
            if (!world.hasDoorbells()) {
                requests.start();
            }
            if (isStuckNow()) {
                requests.flush(world);
                collect();
            }
            refresh();
            return true;
        }
    }

    @Override
    public void start() {
        synchronized (simulator) {
            if (requests.start()) {
                refresh();
            }
        }
    }

    /** Makes this lane ready if it has work to do now, otherwise unready. */
    private void refresh() {
        if (delayed) {
            return; // refreshed again when the delay is over
        }
        long early = nextDue() - world.now();
        if (early > 0) {
            delayed = true;
            world.delay(this, early);
            return;
        }
        if (hasWork() && !isStuck()) {
            world.makeReady(this);
        } else {
            world.makeUnready(this);
        }
    }

    /** When the next request is to be executed; 0 if operations take no time or there is other work. */
    private long nextDue() {
        if (responder.hasUnplaced() || state.isBroken() || state.isClosed()) {
            return 0;
        }
        SimRequest next = requests.firstToExecute();
        return next == null ? 0 : next.due;
    }

    /** Whether its only work now are atomics that have to wait for the end of others. */
    private boolean isStuck() {
        return requests.isBlocked() && !responder.hasUnplaced() && !state.isBroken();
    }

    /** Lets it retry an atomic. */
    @Override
    public void admit(SimSegment segment, long offset) {
        requests.unblock(segment, offset);
        refresh();
    }

    /** Delays the next step if the node is slow. */
    private void delayNext() {
        if (link.slowness() > 0 && hasWork() && !isStuck()) {
            delayed = true;
            world.delay(this, link.slowness());
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
        return responder.hasUnplaced() || requests.isAnyExposed();
    }

    @Override
    public boolean isPartOf(Agent thread) {
        return requests.isAnyOf(thread);
    }

    @Override
    boolean isBlocked() {
        return !isFailing()
                && !responder.hasUnplaced()
                && mayExecute()
                && options().isEmpty();
    }

    @Override
    boolean isPostponed() {
        return !isFailing() && !responder.hasUnplaced() && !mayExecute();
    }

    private boolean isFailing() {
        return state.isBroken() || state.isClosed();
    }

    /** Whether no other lane's request comes first. */
    private boolean mayExecute() {
        if (world.may(Weakness.UNORDERED_LANES)) {
            return true;
        }
        SimLane oldest = link.laneOfOldestRequest();
        return oldest == this || !oldest.hasWork();
    }

    /** In an enumeration: the requests with which a step can be taken now. */
    private List<SimRequest> options() {
        List<SimRequest> options = new ArrayList<>();
        for (int i = 0; mayExecute() && i < requests.executable(); i++) {
            SimRequest r = requests.executable(i);
            if (responder.canStep(r)) {
                options.add(r);
            }
        }
        return options;
    }

    boolean hasWork() {
        return !state.isClosed() && (requests.isAnyStarted() || responder.hasUnplaced());
    }

    // ------------------------------------------------------------------------------------------------ progress

    /** Takes one step: on this lane, unless another lane has an earlier request. */
    @Override
    void advance() {
        delayed = false;
        if (stepsBeforeStall > 0 && --stepsBeforeStall == 0 && hasWork()) {
            delayed = true;
            memory.addStalled(this);
            world.delay(this, stallNanos);
            return;
        }
        if (awaitedRequests > 0 && stepsBeforeStall == 0) { // the awaited requests were not posted in time
            resume();
        }
        if (!world.may(Weakness.UNORDERED_LANES) && !world.isTimed() && !world.isEnumerated()) {
            SimLane oldest = link.laneOfOldestRequest();
            if (oldest != this && oldest.hasWork()) {
                oldest.advanceThis();
                refresh();
                return;
            }
        }
        advanceThis();
    }

    // ------------------------------------------------------------------------------------------------ stalling

    /** After a few steps, stalls until others have posted requests to the same words, or for a long time. */
    void stall(SplittableRandom random) {
        if (awaitedRequests == 0) {
            stepsBeforeStall = 1
                    + random.nextInt(Math.max(
                            1, Math.min(requests.mostSteps() + responder.unplacedWords(), MAX_STEPS_BEFORE_STALL)));
            awaitedRequests = 1 + random.nextInt(MAX_AWAITED_REQUESTS);
            stallNanos = simulator.drawStallNanos(random);
        }
    }

    /** Another request was posted, which may be the one that this lane waits for. */
    @Override
    public void posted(SimRequest other) {
        if (other.operation != Operation.READ && touches(other) && --awaitedRequests == 0) {
            resume();
            delayed = false;
            refresh();
        }
    }

    private void resume() {
        awaitedRequests = 0;
        memory.removeStalled(this);
    }

    /**
     * Whether another thread's request is for words that this lane will read or change, or has changed but not placed.
     */
    private boolean touches(SimRequest other) {
        return requests.touch(other) || responder.hasUnplacedFor(other);
    }

    // ------------------------------------------------------------------------------------------------ one step

    @Override
    public boolean mayDoNext(AccessPredicate test) {
        return responder.mayPlaceNext(test) || requests.anyExecutable(r -> responder.mayDoNext(r, test));
    }

    /** The number of the first request that has not completed; {@link Long#MAX_VALUE} if all have. */
    long oldestRequest() {
        return requests.isEmpty() ? Long.MAX_VALUE : requests.get(0).number;
    }

    private void advanceThis() {
        if (state.isBroken()) {
            requests.flush(world);
            if (responder.hasUnplaced()) {
                responder.placeNext(); // acknowledged WRITEs reach memory
            }
        } else if (world.isEnumerated()) {
            advanceByChoice();
        } else if (hasWork()) {
            int executable = requests.executable();
            int choice = world.choose(executable + (responder.hasUnplaced() ? 1 : 0));
            if (choice < executable) {
                step(requests.executable(choice));
            } else {
                responder.placeNext();
            }
        }
        collect();
        delayNext();
    }

    /** Takes one of the steps that can be taken now: each of them changes something. */
    private void advanceByChoice() {
        List<SimRequest> options = options();
        int choices = options.size() + (responder.hasUnplaced() ? 1 : 0);
        int choice = choices == 0 ? 0 : world.choose(choices);
        if (choice < options.size()) {
            step(options.get(choice));
        } else if (responder.hasUnplaced()) {
            responder.placeNext();
        }
    }

    private void step(SimRequest r) {
        CompletionStatus refusal = responder.step(r);
        if (refusal != CompletionStatus.SUCCESS) {
            state.breakDown();
            releaseWords();
            r.end(refusal, world);
            requests.flush(world);
        }
    }

    /** Releases the words of atomics that have read and will not write. */
    private void releaseWords() {
        memory.admitAll();
        for (int i = 0; i < requests.size(); i++) {
            responder.giveUp(requests.get(i));
        }
    }

    /**
     * Breaks this lane. A random part of the outstanding requests is executed, but not reported, and the last of them
     * perhaps only in part. Reported WRITEs still reach memory.
     */
    void breakDown(SplittableRandom random) {
        if (state.isBroken() || state.isClosed()) {
            return;
        }
        for (int steps = random.nextInt(2 * requests.size() + 1); steps > 0 && requests.executable() > 0; steps--) {
            step(requests.executable(random.nextInt(requests.executable())));
        }
        if (!state.isBroken()) {
            responder.loseWords(oldestRequest(), random);
            loseAcknowledgements();
        }
        collect();
        refresh();
    }

    /**
     * Breaks this lane, and keeps it from being connected. What has arrived of its WRITEs is placed once others use the
     * same words, or late.
     */
    void jam(long nanos, SplittableRandom random) {
        breakDown(random);
        stuckUntil = world.now() + nanos;
        world.expectChange(stuckUntil);
        stepsBeforeStall = 0;
        awaitedRequests = 1;
        delayed = true;
        memory.addStalled(this);
        world.delay(this, nanos);
    }

    private boolean isStuckNow() {
        return state.isBroken() && world.now() < stuckUntil;
    }

    /** Its Memory Node cuts off its node: nothing of it arrives later, and what has arrived is placed. */
    void cutOff(SplittableRandom random) {
        breakDown(random);
        placeAll();
        refresh();
    }

    private void loseAcknowledgements() {
        state.breakDown();
        releaseWords();
        for (int i = 0; i < requests.size(); i++) { // executed ones too
            requests.get(i).end(i == 0 ? CompletionStatus.RETRY_EXCEEDED : CompletionStatus.FLUSHED, world);
        }
    }

    /** Reports the requests that are done, in the order posted. */
    private void collect() {
        while (!requests.isEmpty() && requests.get(0).isDone()) {
            SimRequest r = requests.removeFirst();
            if (world.isEnumerated() && !world.may(Weakness.UNORDERED_LANES)) {
                link.lanesOfNode().forEach(world::affected); // the next request may be that of another lane
            }
            long arrival = world.arrival(r.operation, link.computeNode(), link.memoryNode(), arrivals.last());
            if (state.end(r.signalled, r.id, r.ended()) && world.isTimed()) {
                arrivals.append(arrival);
            }
            if (r.signalled && r.poster != null) {
                r.poster.completed(arrival);
            }
        }
    }

    // ------------------------------------------------------------------------------------------------ polling

    @Override
    public int poll(Completions into) {
        synchronized (simulator) {
            start();
            if (!simulator.isInside() && !state.isClosed()) {
                link.advanceAll(STEPS_PER_POLL);
            }
            boolean allHere = !world.isTimed() || state.isBroken() || !simulator.isInside();
            return arrivals.remove(state.poll(into, allHere ? DEPTH : arrivals.count(world.now())));
        }
    }

    @Override
    public boolean isBroken() {
        synchronized (simulator) {
            return state.isBroken();
        }
    }

    @Override
    public void reconnect() {
        synchronized (simulator) {
            boolean wasBroken = state.isBroken();
            if (isStuckNow()) {
                throw new FabricException(this + " cannot be connected now");
            }
            if (wasBroken && !link.isLost() && !link.isReachable()) {
                throw new FabricException(this + ": Memory Node " + link.memoryNode() + " is unreachable now");
            }
            state.reconnect();
            if (wasBroken) {
                placeAll(); // nothing of the old connection arrives later
            }
        }
    }

    /** Lets all acknowledged WRITEs reach memory. */
    private void placeAll() {
        while (responder.hasUnplaced() && !memory.isGone()) {
            responder.placeNext();
        }
    }

    void close() {
        synchronized (simulator) {
            releaseWords();
            placeAll();
            state.close();
            refresh();
        }
    }

    @Override
    public String toString() {
        return name();
    }
}
