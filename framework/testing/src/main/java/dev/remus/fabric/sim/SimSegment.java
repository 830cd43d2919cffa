package dev.remus.fabric.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The words of one segment, made when they are first written, and who waits for them. */
final class SimSegment {
    private static final int PAGE_LOG2 = 9;
    private static final int PAGE = 1 << PAGE_LOG2;

    /** When a word changes, so many of those that wait for it are told; more would only get into each other's way. */
    private static final int TOLD_AT_ONCE = 8;

    private static final class Page {
        final long[] words = new long[PAGE];

        /** Words that an atomic has read and not written yet, a bit each: no other atomic may come in between. */
        final long[] busy = new long[PAGE / Long.SIZE];

        /** By word: the first of the threads that pause after having looked at it. Made when there is one. */
        SimTask @Nullable [] watchers;
    }

    private final Simulator simulator;
    private final long bytes;
    private final Page[] pages;

    /** By word: the lanes that wait for the end of an atomic there. */
    private final Map<Long, List<SimLane>> waiting = new LinkedHashMap<>();

    private int blocked;

    SimSegment(Simulator simulator, long bytes) {
        this.simulator = simulator;
        this.bytes = bytes;
        this.pages = new Page[(int) ((bytes / Long.BYTES + PAGE - 1) >>> PAGE_LOG2)];
    }

    long bytes() {
        return bytes;
    }

    /** Before anybody looks. */
    void preset(long offset, long value) {
        page(offset).words[at(offset)] = value;
    }

    private static int index(long offset) {
        return (int) (offset >>> (3 + PAGE_LOG2));
    }

    /** Where a word is in its page. */
    private static int at(long offset) {
        return (int) (offset >>> 3) & (PAGE - 1);
    }

    private Page page(long offset) {
        int index = index(offset);
        Page page = pages[index];
        if (page == null) {
            page = new Page();
            pages[index] = page;
        }
        return page;
    }

    long get(long offset) {
        Page page = pages[index(offset)];
        return page == null ? 0 : page.words[at(offset)];
    }

    void set(long offset, long value) {
        Page page = page(offset);
        int at = at(offset);
        if (page.words[at] != value) {
            page.words[at] = value;
            simulator.changed();
            simulator.mix(offset);
            simulator.mix(value);
            if (page.watchers != null && page.watchers[at] != null) {
                tell(page.watchers[at]);
            }
        }
    }

    // ------------------------------------------------------------------------------------------------ atomics

    boolean isBusy(long offset) {
        return (page(offset).busy[at(offset) / Long.SIZE] & 1L << at(offset)) != 0;
    }

    void begin(long offset) {
        page(offset).busy[at(offset) / Long.SIZE] |= 1L << at(offset);
    }

    void end(long offset) {
        page(offset).busy[at(offset) / Long.SIZE] &= ~(1L << at(offset));
        if (blocked > 0) {
            admitOne(offset);
        }
    }

    /** A lane cannot go on before the atomic is through that is under way on that word. */
    void block(SimLane lane, long offset) {
        waiting.computeIfAbsent(offset, word -> new ArrayList<>()).add(lane);
        blocked++;
    }

    /** It can go on after all. */
    void unblock(SimLane lane, long offset) {
        List<SimLane> lanes = waiting.get(offset);
        if (lanes != null && lanes.remove(lane)) {
            blocked--;
        }
    }

    /** One of them: more would only find the word busy again. */
    private void admitOne(long offset) {
        List<SimLane> lanes = waiting.get(offset);
        if (lanes != null && !lanes.isEmpty()) {
            int chosen = simulator.choose(lanes.size());
            SimLane last = lanes.remove(lanes.size() - 1);
            SimLane admitted = chosen == lanes.size() ? last : lanes.set(chosen, last);
            blocked--;
            admitted.admit();
        }
    }

    /** All of them, because one that was admitted may not go on. */
    void admitAll() {
        for (List<SimLane> lanes : waiting.values()) {
            lanes.forEach(SimLane::admit);
            blocked -= lanes.size();
            lanes.clear();
        }
    }

    // ------------------------------------------------------------------------------------------------ waiting

    private void tell(SimTask first) {
        SimTask task = first;
        for (int i = 0; i < TOLD_AT_ONCE && task != null; i++) {
            SimTask next = task.nextWatcher;
            simulator.makeReady(task); // which removes it here
            task = next;
        }
    }

    /** A thread pauses that has looked at a word: it is to go on when that changes. */
    void watch(SimTask task, long offset) {
        Page page = page(offset);
        if (page.watchers == null) {
            page.watchers = new SimTask[PAGE];
        }
        SimTask first = page.watchers[at(offset)];
        task.watched = this;
        task.nextWatcher = first;
        task.previousWatcher = null;
        if (first != null) {
            first.previousWatcher = task;
        }
        page.watchers[at(offset)] = task;
    }

    /** It no longer does. */
    void unwatch(SimTask task, long offset) {
        if (task.nextWatcher != null) {
            task.nextWatcher.previousWatcher = task.previousWatcher;
        }
        if (task.previousWatcher != null) {
            task.previousWatcher.nextWatcher = task.nextWatcher;
        } else {
            SimTask[] watchers = page(offset).watchers;
            assert watchers != null; // it is among them
            watchers[at(offset)] = task.nextWatcher;
        }
        task.watched = null;
    }
}
