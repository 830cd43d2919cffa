// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.fabric.LocalSegments;
import dev.remus.logging.Loggers;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The segments of a Memory Node in this process, for a Compute Node that is the same node; found by their run. A
 * Compute Node that holds them may read them at any time, so the memory then lives until the garbage collector finds it
 * unreachable.
 */
final class OwnMemory implements LocalSegments {
    private static final Logger LOG = Loggers.of(OwnMemory.class);
    private static final Map<Long, OwnMemory> BY_RUN = new ConcurrentHashMap<>();
    private static final Cleaner CLEANER = Cleaner.create();

    private final long run;
    private final List<SegmentMemory> segments;
    private volatile boolean open = true;
    private boolean lent;

    private OwnMemory(long run, List<SegmentMemory> segments) {
        this.run = run;
        this.segments = List.copyOf(segments);
    }

    /** Offers the segments of a Memory Node of this process, until {@link #withdraw}. */
    static OwnMemory offer(long run, List<SegmentMemory> segments) {
        OwnMemory memory = new OwnMemory(run, segments);
        BY_RUN.put(run, memory);
        return memory;
    }

    /** The segments of a run; null if it is no run of this process. */
    static @Nullable OwnMemory of(long run) {
        OwnMemory memory = BY_RUN.get(run);
        return memory != null && memory.lend() ? memory : null;
    }

    private synchronized boolean lend() {
        lent |= open;
        return open;
    }

    /**
     * Frees the segments, now or once they are unreachable. To be called when the Memory Node ends and
     * has withdrawn them from the network.
     */
    synchronized void withdraw() throws IOException {
        BY_RUN.remove(run);
        open = false;
        if (lent) {
            CLEANER.register(this, new Freeing(segments));
        } else {
            free(segments);
        }
    }

    private static void free(List<SegmentMemory> segments) throws IOException {
        for (SegmentMemory segment : segments) {
            segment.release();
        }
    }

    private record Freeing(List<SegmentMemory> segments) implements Runnable {
        @Override
        public void run() {
            try {
                free(segments);
            } catch (IOException e) {
                LOG.warn("verbs: a segment cannot be freed: {}", e.getMessage());
            }
        }
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public long read(int segment, long offset) {
        long word = segments.get(segment).get(offset);
        Reference.reachabilityFence(this);
        return word;
    }
}
