// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.CostModel;
import dev.remus.fabric.Operation;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of a simulation below its threads: the clock, the agents that can go on, the trace, and the weaknesses of
 * memory. Every choice of the scheduler is made here and mixed into the trace.
 */
final class SimWorld {
    private final Scheduler scheduler;

    /** The scheduler, if it enumerates schedules. */
    private final @Nullable Enumeration enumeration;

    /** Threads that wait for a change; only in an enumeration. */
    private final ParkedAgents parked = new ParkedAgents();

    /** How often the code under test has changed something. */
    private long changes;

    private final Set<Weakness> weaknesses;
    private final ReadyAgents ready = new ReadyAgents();
    private final VirtualTime time = new VirtualTime();
    private final Trace trace = new Trace();

    /** Null unless operations take time. */
    private @Nullable Timing timing;

    private boolean virtualThreads;

    private @Nullable Agent running;
    private int agents;
    private int segments;
    private long requests;
    private long lastChange;
    private long expectedChange;

    SimWorld(Scheduler scheduler, Set<Weakness> weaknesses) {
        this.scheduler = scheduler;
        this.enumeration = scheduler instanceof Enumeration e ? e : null;
        this.weaknesses = weaknesses.isEmpty() ? EnumSet.noneOf(Weakness.class) : EnumSet.copyOf(weaknesses);
    }

    /** Numbers agents in order of creation. */
    int newAgent() {
        return agents++;
    }

    /** Numbers segments in order of creation. */
    int newSegment() {
        return segments++;
    }

    /** Numbers requests in the order in which they are posted. */
    long nextRequest() {
        return requests++;
    }

    // ------------------------------------------------------------------------------------------------ choices

    boolean may(Weakness weakness) {
        return weaknesses.contains(weakness);
    }

    int choose(int bound) {
        if (bound == 1) {
            return 0;
        }
        int chosen = scheduler.choose(bound);
        mix(chosen);
        return chosen;
    }

    /** Reports to the scheduler that a thread waits for something that has not happened. */
    void paused(Agent agent) {
        scheduler.paused(agent);
    }

    /** Reports an access to a word to the scheduler. */
    void accessed(long word, boolean changes) {
        scheduler.accessed(word, changes);
    }

    // ------------------------------------------------------------------------------------------------ enumeration

    /** Whether the scheduler enumerates schedules. */
    boolean isEnumerated() {
        return enumeration != null;
    }

    /** Reports that the running agent changes what another can do. */
    void affected(Agent other) {
        if (enumeration != null) {
            enumeration.affected(other);
        }
    }

    /** Reports that an atomic keeps others from a word. */
    void locks(long word) {
        if (enumeration != null) {
            enumeration.locks(word);
        }
    }

    /** Reports the end of such an atomic. */
    void unlocks(long word) {
        if (enumeration != null) {
            enumeration.unlocks(word);
        }
    }

    /** The scheduler if it enumerates schedules, otherwise null. */
    @Nullable
    Enumeration enumeration() {
        return enumeration;
    }

    /** Reports that schedules are left out. */
    void leavesOut(Bound bound) {
        if (enumeration != null) {
            enumeration.leavesOut(bound);
        }
    }

    /** How often the code under test has changed something, in an enumeration. */
    long changes() {
        return changes;
    }

    /** Lets a thread wait for a change, or until nothing else can happen. */
    void park(Agent agent, long wakesAt) {
        parked.add(agent, wakesAt);
    }

    /** Makes the parked thread ready that would wake up first; false if there is none. */
    boolean wakeParked() {
        while (isIdle()) {
            Agent first = parked.removeFirst();
            if (first == null) {
                return false;
            }
            makeReady(first);
        }
        return true;
    }

    /** Moves the clock to the end of a thread's pause; agents with alarms that are then due are woken later. */
    void endPause(Agent agent, long wakesAt) {
        parked.remove(agent);
        time.pass(Math.max(0, wakesAt - time.now()));
    }

    // ------------------------------------------------------------------------------------------------ going on

    /** Makes an agent ready, unless it can never go on. */
    void makeReady(Agent agent) {
        if (agent.becomesReady()) {
            ready.add(agent);
        }
    }

    /** Makes an agent unready. */
    void makeUnready(Agent agent) {
        agent.becomesUnready();
        ready.remove(agent);
    }

    /** Whether no agent can go on. */
    boolean isIdle() {
        return ready.isEmpty();
    }

    /** Lets the scheduler pick the agent for a step. At least one must be ready. */
    Agent pick(long step) {
        Agent next = ready.get(scheduler.pick(ready.all(), running));
        running = next;
        trace.step(step, time.now(), next);
        return next;
    }

    // ------------------------------------------------------------------------------------------------ time

    /** The current time; reading it does not advance the clock. */
    long now() {
        return time.now();
    }

    /** Advances the clock, and wakes no agent. */
    void pass(long nanos) {
        time.pass(nanos);
    }

    /** Wakes an agent, which is asleep from now on, after that time. */
    void setAlarm(Agent agent, long nanos) {
        time.setAlarm(agent, nanos);
    }

    /** Makes an agent unready until some time later. */
    void delay(Agent agent, long nanos) {
        makeUnready(agent);
        time.setAlarm(agent, nanos);
    }

    /** Wakes the agents whose alarms have gone off by now. */
    void wakeThoseDue() {
        for (Agent due = time.takeDue(); due != null; due = time.takeDue()) {
            due.wakesUp();
            makeReady(due);
        }
    }

    /** Moves the clock to the next moment at which an agent wakes up; false if none will. */
    boolean wakeSleepers() {
        if (!time.skipToNextAlarm()) {
            return false;
        }
        wakeThoseDue();
        return true;
    }

    /** Something will happen at this time, until when the world is not quiet. */
    void expectChange(long at) {
        expectedChange = Math.max(expectedChange, at);
    }

    /** Records a change that others may wait for. */
    void changed() {
        lastChange = now();
        mix(lastChange);
        if (enumeration != null && running != null && running.isExposed()) {
            changes++;
            parked.removeAll(this::makeReady);
        }
    }

    /** For how long nothing has changed. */
    long quietFor() {
        return now() - Math.max(lastChange, expectedChange);
    }

    // ------------------------------------------------------------------------------------------------ costs

    /** Lets requests that may wait for more wait for a doorbell, except in an enumeration. */
    void playVirtualThreads() {
        virtualThreads = true;
        leavesOut(Bound.DOORBELLS);
    }

    boolean playsVirtualThreads() {
        return virtualThreads;
    }

    /** Whether requests that may wait for more wait for a doorbell. */
    boolean hasDoorbells() {
        return virtualThreads && !isEnumerated() && timing == null;
    }

    /** Lets operations take time from now on. */
    void timing(Timing given) {
        timing = given;
    }

    /** Null unless operations take time. */
    @Nullable
    Timing timing() {
        return timing;
    }

    /** Whether operations take the time of a {@link CostModel}. */
    boolean isTimed() {
        return timing != null;
    }

    /** When request {@code i} of a chain that is posted now is executed; 0 if operations take no time. */
    long due(Chain chain, int i, int from, int to) {
        return timing == null ? 0 : timing.due(chain, i, from, to, now());
    }

    /**
     * When a completion arrives that leaves the far end now. That is at once if operations take no time.
     *
     * @param last when the previous one of the same lane arrives
     */
    long arrival(Operation operation, int from, int to, long last) {
        return timing == null ? now() : timing.arrival(operation, from, to, now(), last);
    }

    // ------------------------------------------------------------------------------------------------ the trace

    /** Makes the trace's hash depend on something that has happened. */
    void mix(long what) {
        trace.mix(what);
    }

    /** Keeps a line for each step; a listener receives the events too, unless it is null. */
    void keepTrace(@Nullable TraceListener listener) {
        trace.keepText(listener);
    }

    boolean isTraced() {
        return trace.isTextKept();
    }

    /** In a trace: records a request that the calling thread posts, and returns what it is for. */
    String posted(PostedRequest request) {
        return trace.posted(request);
    }

    /** In a trace: records that a request has ended, and how. */
    void ended(long request, CompletionStatus status, long[] values, String description) {
        trace.ended(request, status, values, description);
    }

    /** In a trace: records that one more word of a WRITE is in memory. */
    void placed(long request) {
        trace.placed(request);
    }

    /** In a trace: records that the word at a raw pointer has changed. */
    void noteChange(long pointer, long before, long after) {
        trace.changed(pointer, before, after);
    }

    /** In a trace: records a fault, or another event that one line describes. */
    void happened(String what) {
        trace.happened(what);
    }

    String trace() {
        return trace.text();
    }

    long traceHash() {
        return trace.hash();
    }
}
