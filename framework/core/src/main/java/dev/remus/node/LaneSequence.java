package dev.remus.node;

import dev.remus.fabric.Chain;
import dev.remus.fabric.LocalMemory;
import dev.remus.fabric.RemoteSequence;
import dev.remus.memory.RdmaPtr;

/** Operations that go out on a lane as one chain. */
final class LaneSequence extends RemoteSequence {
    private final LaneMemory memory;
    private final Chain requests = new Chain(CAPACITY + 1);
    private long pointer;
    private boolean endsWithWrite;

    LaneSequence(LaneMemory memory) {
        this.memory = memory;
    }

    /** What was added. */
    Chain requests() {
        return requests;
    }

    @Override
    public void clear() {
        requests.clear();
    }

    @Override
    public void read(long from, LocalMemory to, long toOffset, int length) {
        requests.read(memory.segment(from), RdmaPtr.offset(from), to, toOffset, length);
        added(from, false);
    }

    @Override
    public void write(long to, LocalMemory from, long fromOffset, int length) {
        requests.write(memory.segment(to), RdmaPtr.offset(to), from, fromOffset, length);
        added(to, true);
    }

    @Override
    public void compareAndSwap(long word, long expected, long desired, LocalMemory result, long resultOffset) {
        requests.compareAndSwap(memory.segment(word), RdmaPtr.offset(word), expected, desired, result, resultOffset);
        added(word, false);
    }

    @Override
    public void fetchAndAdd(long word, long delta, LocalMemory result, long resultOffset) {
        requests.fetchAndAdd(memory.segment(word), RdmaPtr.offset(word), delta, result, resultOffset);
        added(word, false);
    }

    private void added(long where, boolean isWrite) {
        pointer = where;
        endsWithWrite = isWrite;
    }

    @Override
    public void execute() {
        try {
            memory.execute(requests, pointer, endsWithWrite);
        } finally {
            requests.clear();
        }
    }

    @Override
    public void post() {
        try {
            memory.postUnsignalled(requests, pointer);
        } finally {
            requests.clear();
        }
    }
}
