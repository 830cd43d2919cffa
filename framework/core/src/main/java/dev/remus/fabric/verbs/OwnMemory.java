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
 * The segments of a Memory Node that runs in this process, found by its run, for a Compute Node that is the same node.
 * A Compute Node that has them may read at any time, so the memory then lives until the garbage collector finds it
 * unreachable.
 */
final class OwnMemory implements LocalSegments {
    private static final Logger LOG = Loggers.of(OwnMemory.class);
    private static final Map<Long, OwnMemory> BY_RUN = new ConcurrentHashMap<>();
    private static final Cleaner CLEANER = Cleaner.create();

    private final long run;
    private final List<SegmentMemory> segments;
    private volatile boolean open = true;
    private boolean given;

    private OwnMemory(long run, List<SegmentMemory> segments) {
        this.run = run;
        this.segments = List.copyOf(segments);
    }

    /** A Memory Node of this process is there from now on, until {@link #withdraw}. */
    static OwnMemory offer(long run, List<SegmentMemory> segments) {
        OwnMemory memory = new OwnMemory(run, segments);
        BY_RUN.put(run, memory);
        return memory;
    }

    /** The segments of a run; null if it is none of this process. */
    static @Nullable OwnMemory of(long run) {
        OwnMemory memory = BY_RUN.get(run);
        return memory != null && memory.give() ? memory : null;
    }

    private synchronized boolean give() {
        given |= open;
        return open;
    }

    /** The Memory Node ends, and has withdrawn its segments from the network; frees them, now or when it can. */
    synchronized void withdraw() throws IOException {
        BY_RUN.remove(run);
        open = false;
        if (given) {
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
