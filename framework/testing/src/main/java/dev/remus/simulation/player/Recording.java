// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.player;

import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Operation;
import dev.remus.fabric.sim.PostedRequest;
import dev.remus.fabric.sim.Simulator;
import dev.remus.fabric.sim.TraceListener;
import dev.remus.record.RecordView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The events of one run, as the player shows them. Of a very long run it keeps the last moments, and what memory
 * contained before them.
 */
public final class Recording implements TraceListener {
    /** The most moments that are kept; a page with so many has a few megabytes. */
    static final int MAX_MOMENTS = 20_000;

    /** How many words of a long transfer are shown. */
    private static final int MAX_WORDS = 256;

    /** The beginning of the note with which a failure is recorded when it happens. */
    private static final String FAILURE = "failure: ";

    /** The return of an operation. */
    private record Returned(Event.Return event, long moment) {}

    private final Simulator simulator;
    private final RecordNames names;
    private final Deque<RecordedMoment> moments = new ArrayDeque<>();
    private final MemoryMap memory = new MemoryMap();

    /** The numbers of threads in operations, by the names of threads in the simulator. */
    private final Map<String, Integer> threads = new LinkedHashMap<>();

    /** The READs that have not ended. */
    private final Map<Long, PostedRequest> reads = new HashMap<>();

    /** By the number of the call or return, in the order in which they were recorded. */
    private final Map<Long, Returned> returns = new LinkedHashMap<>();

    private long callsAndReturns;
    private RecordedMoment current = new RecordedMoment(0, 0, "");
    private long dropped;
    private long failed = -1;

    /** Whether an operation is being added to the trace. */
    private boolean isOperation;

    /** @param names of the words, from the views of the same run */
    public Recording(Simulator simulator, RecordNames names) {
        this.simulator = simulator;
        this.names = names;
    }

    // ------------------------------------------------------------------------------------------------ events

    @Override
    public String nameOf(long pointer) {
        return simulator.isInside() ? names.of(simulator.self(), pointer) : "";
    }

    @Override
    public void step(long number, long nanos, String agent) {
        current = new RecordedMoment(number, nanos, agent);
    }

    @Override
    public void posted(PostedRequest request) {
        add(new Event.Posted(request));
        if (request.operation() == Operation.READ) {
            reads.put(request.number(), request);
        }
        if (simulator.isInside()) {
            for (RecordView view : names.at(simulator.self(), request.pointer())) {
                memory.addRecord(view.pointer(), names.shapeOf(view));
            }
        }
        for (int i = 0; i < Math.min(request.words(), MAX_WORDS); i++) {
            memory.use(request.pointer() + (long) i * Long.BYTES, lastMoment());
        }
    }

    @Override
    public void ended(long request, CompletionStatus status, long[] values) {
        add(new Event.Ended(request, status, values));
        PostedRequest read = reads.remove(request);
        for (int i = 0; read != null && status == CompletionStatus.SUCCESS && i < values.length; i++) {
            memory.had(read.pointer() + (long) i * Long.BYTES, values[i]);
        }
    }

    @Override
    public void placed(long request) {
        add(new Event.Placed(request));
    }

    @Override
    public void changed(long pointer, long before, long after) {
        add(new Event.Changed(pointer, before, after));
        memory.had(pointer, before);
        memory.use(pointer, lastMoment());
    }

    @Override
    public void noted(String what) {
        if (isOperation) {
            return; // it is an event already
        }
        add(new Event.Noted(what));
        if (what.startsWith(FAILURE)) {
            failed = lastMoment();
        }
    }

    /** The running thread calls an operation. Returns the event as a line of the trace. */
    public String calls(int thread, String operation) {
        threads.putIfAbsent(current.agent(), thread);
        callsAndReturns++;
        return addOperation(new Event.Call(thread, operation));
    }

    /** An operation of the running thread returns. Returns the event as a line of the trace. */
    public String returns(int thread, String operation, String result) {
        Event.Return event = new Event.Return(thread, operation, result);
        String line = addOperation(event);
        returns.put(callsAndReturns++, new Returned(event, lastMoment()));
        return line;
    }

    /** An operation of the running thread throws, in a line of source. Returns the event as a line of the trace. */
    public String fails(int thread, String operation, String exception, String source) {
        return addOperation(new Event.Throw(thread, operation, exception, source));
    }

    private String addOperation(Event event) {
        add(event);
        isOperation = true;
        simulator.note(event.toString());
        isOperation = false;
        return event.toString();
    }

    private void add(Event event) {
        if (current.events().isEmpty()) {
            moments.addLast(current);
            if (moments.size() > MAX_MOMENTS) {
                drop(moments.removeFirst());
            }
        }
        current.events().add(event);
    }

    private void drop(RecordedMoment moment) {
        dropped++;
        for (Event event : moment.events()) {
            if (event instanceof Event.Changed changed) {
                memory.beginsWith(changed.pointer(), changed.after());
            }
        }
    }

    /** The number of the moment that was added last, from the beginning of the run. */
    private long lastMoment() {
        return dropped + moments.size() - 1;
    }

    // ------------------------------------------------------------------------------------------------ the result

    /** The moments that were kept, in order. */
    List<RecordedMoment> moments() {
        return new ArrayList<>(moments);
    }

    /** How many earlier moments were dropped. */
    long dropped() {
        return dropped;
    }

    /** The numbers of threads in operations, by their names. */
    Map<String, Integer> threads() {
        return threads;
    }

    MemoryMap memory() {
        return memory;
    }

    /** The number of the moment at which the run failed with an exception; that of the last moment if it did not. */
    long failureMoment() {
        return failed >= 0 ? failed : lastMoment();
    }

    /**
     * The number of the moment at which an operation has returned.
     *
     * @param number of the return among all calls and returns. If another operation has it, because there were several
     *     recorders, the last equal return counts
     * @return {@link #failureMoment} if there is no such return
     */
    long returnMoment(long number, int thread, String operation, String result) {
        Event.Return wanted = new Event.Return(thread, operation, result);
        Returned exact = returns.get(number);
        if (exact != null && exact.event().equals(wanted)) {
            return exact.moment();
        }
        return returns.values().stream()
                .filter(returned -> returned.event().equals(wanted))
                .mapToLong(Returned::moment)
                .max()
                .orElse(failureMoment());
    }
}
