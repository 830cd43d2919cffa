// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The words of one segment, allocated when they are first written, and the threads and lanes that wait for them. */
final class SimSegment {
    private static final int PAGE_LOG2 = 9;
    private static final int PAGE = 1 << PAGE_LOG2;

    /** The number of waiters that become ready when a word changes; more would only obstruct each other. */
    private static final int MAX_WOKEN = 8;

    private static final class Page {
        final long[] words = new long[PAGE];

        /** A bit for each word that an atomic has read and not written yet: no other atomic may start meanwhile. */
        final long[] busy = new long[PAGE / Long.SIZE];

        /**
         * By word: the first of the threads that pause after they have seen it. Allocated for the first such thread.
         */
        Watcher @Nullable [] watchers;
    }

    /** A lane that waits for the end of an atomic. */
    interface Waiter {
        /** Lets it retry an atomic on that word. */
        void admit(SimSegment segment, long offset);
    }

    /** The word that a thread has seen last. While the thread pauses, it becomes ready when that word changes. */
    static final class Watcher {
        private final Agent thread;
        private @Nullable SimSegment seen;
        private long offset;
        private long value;

        /** The segment that lists the thread while it pauses. The neighbours in that list follow. */
        private @Nullable SimSegment watched;

        /** Where: a late answer may change what the thread has seen while it pauses. */
        private long watchedOffset;

        private @Nullable Watcher next;
        private @Nullable Watcher previous;

        Watcher(Agent thread) {
            this.thread = thread;
        }

        /** Records that the thread has read or changed a word, which now has this value. */
        void saw(SimSegment segment, long seenOffset, long seenValue) {
            seen = segment;
            offset = seenOffset;
            value = seenValue;
        }

        /** Whether the word has changed since the thread saw it. */
        boolean hasMissedChange() {
            return seen != null && seen.get(offset) != value;
        }

        /** Forgets the word; the thread waits for none until it has seen another. */
        void forget() {
            seen = null;
        }

        void watch() {
            if (seen != null) {
                seen.watch(this);
            }
        }

        void unwatch() {
            if (watched != null) {
                watched.unwatch(this);
            }
        }
    }

    /** A segment has fewer words than this power of two. */
    private static final int MAX_WORDS_LOG2 = 40;

    private final SimWorld world;
    private final long start;
    private final long firstWord;
    private final long bytes;
    private final Page[] pages;

    /** By word: the lanes that wait for the end of an atomic there. */
    private final Map<Long, List<Waiter>> waiting = new LinkedHashMap<>();

    private int blocked;

    /** @param start the raw pointer to its first word */
    SimSegment(SimWorld world, long start, long bytes) {
        this.world = world;
        this.start = start;
        this.firstWord = (long) world.newSegment() << MAX_WORDS_LOG2;
        this.bytes = bytes;
        this.pages = new Page[(int) ((bytes / Long.BYTES + PAGE - 1) >>> PAGE_LOG2)];
    }

    long bytes() {
        return bytes;
    }

    /** Sets a word before any operation. */
    void preset(long offset, long value) {
        page(offset).words[at(offset)] = value;
    }

    /** The number of a word, which no other word of the run has. */
    long word(long offset) {
        return firstWord + offset / Long.BYTES;
    }

    private static int index(long offset) {
        return (int) (offset >>> (3 + PAGE_LOG2));
    }

    /** The index of a word in its page. */
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

    /** Reads a word for an agent. */
    long read(long offset) {
        world.accessed(word(offset), false);
        return get(offset);
    }

    /** The value of a word, without an access. */
    long get(long offset) {
        Page page = pages[index(offset)];
        return page == null ? 0 : page.words[at(offset)];
    }

    void set(long offset, long value) {
        world.accessed(word(offset), true);
        Page page = page(offset);
        int at = at(offset);
        if (page.words[at] != value) {
            world.noteChange(start + offset, page.words[at], value);
            page.words[at] = value;
            world.changed();
            world.mix(offset);
            world.mix(value);
            if (page.watchers != null && page.watchers[at] != null) {
                wake(page.watchers[at]);
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

    /** Blocks a lane until the atomic in progress on that word has ended. */
    void block(Waiter lane, long offset) {
        waiting.computeIfAbsent(offset, word -> new ArrayList<>()).add(lane);
        blocked++;
    }

    /** Unblocks a lane that can go on for another reason. */
    void unblock(Waiter lane, long offset) {
        List<Waiter> lanes = waiting.get(offset);
        if (lanes != null && lanes.remove(lane)) {
            blocked--;
        }
    }

    /** Admits one of the blocked lanes: more would only find the word busy again. */
    private void admitOne(long offset) {
        List<Waiter> lanes = waiting.get(offset);
        if (lanes != null && !lanes.isEmpty()) {
            int chosen = world.choose(lanes.size());
            Waiter last = lanes.remove(lanes.size() - 1);
            Waiter admitted = chosen == lanes.size() ? last : lanes.set(chosen, last);
            blocked--;
            admitted.admit(this, offset);
        }
    }

    /** Admits all blocked lanes, because one that was admitted may not go on. */
    void admitAll() {
        waiting.forEach((offset, lanes) -> {
            lanes.forEach(lane -> lane.admit(this, offset));
            blocked -= lanes.size();
            lanes.clear();
        });
    }

    // ------------------------------------------------------------------------------------------------ waiting

    private void wake(Watcher first) {
        Watcher watcher = first;
        for (int i = 0; i < MAX_WOKEN && watcher != null; i++) {
            Watcher next = watcher.next;
            world.makeReady(watcher.thread); // removes it from this list
            watcher = next;
        }
    }

    /** Lists a thread that pauses after it has seen a word: it becomes ready when the word changes. */
    private void watch(Watcher watcher) {
        watcher.watchedOffset = watcher.offset;
        Page page = page(watcher.offset);
        int at = at(watcher.offset);
        if (page.watchers == null) {
            page.watchers = new Watcher[PAGE];
        }
        Watcher first = page.watchers[at];
        watcher.watched = this;
        watcher.next = first;
        watcher.previous = null;
        if (first != null) {
            first.previous = watcher;
        }
        page.watchers[at] = watcher;
    }

    /** Removes a thread that no longer pauses. */
    private void unwatch(Watcher watcher) {
        if (watcher.next != null) {
            watcher.next.previous = watcher.previous;
        }
        if (watcher.previous != null) {
            watcher.previous.next = watcher.next;
        } else {
            Watcher[] watchers = page(watcher.watchedOffset).watchers;
            assert watchers != null; // it is among them
            watchers[at(watcher.watchedOffset)] = watcher.next;
        }
        watcher.watched = null;
    }
}
