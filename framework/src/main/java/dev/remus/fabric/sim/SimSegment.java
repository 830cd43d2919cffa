package dev.remus.fabric.sim;

import java.util.HashSet;
import java.util.Set;

/** The words of one segment, made when they are first written. */
final class SimSegment {
    private static final int PAGE_LOG2 = 9;
    private static final int PAGE = 1 << PAGE_LOG2;

    private final long bytes;
    private final long[][] pages;

    /** Words that an atomic has read and not written yet: no other atomic may come in between. */
    private final Set<Long> busy = new HashSet<>();

    SimSegment(long bytes) {
        this.bytes = bytes;
        this.pages = new long[(int) ((bytes / Long.BYTES + PAGE - 1) >>> PAGE_LOG2)][];
    }

    long bytes() {
        return bytes;
    }

    long get(long offset) {
        long word = offset >>> 3;
        long[] page = pages[(int) (word >>> PAGE_LOG2)];
        return page == null ? 0 : page[(int) word & (PAGE - 1)];
    }

    void set(long offset, long value) {
        long word = offset >>> 3;
        int index = (int) (word >>> PAGE_LOG2);
        if (pages[index] == null) {
            pages[index] = new long[PAGE];
        }
        pages[index][(int) word & (PAGE - 1)] = value;
    }

    boolean isBusy(long offset) {
        return !busy.isEmpty() && busy.contains(offset);
    }

    void begin(long offset) {
        busy.add(offset);
    }

    void end(long offset) {
        busy.remove(offset);
    }
}
