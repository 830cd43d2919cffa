// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.RemoteSequence;

/**
 * Reports slow operations to the Java Flight Recorder. It wraps a thread's memory only if such events are enabled when
 * the thread is opened. Otherwise this class is not loaded, and calls are as direct as without it.
 */
final class RecordedOperations extends BlockingOperations {
    private final BlockingOperations memory;

    private RecordedOperations(BlockingOperations memory) {
        this.memory = memory;
    }

    /** Wraps the operations. A method, so that only its callers load the class. */
    static BlockingOperations around(BlockingOperations memory) {
        return new RecordedOperations(memory);
    }

    /** The wrapped operations, for posted operations, which are not recorded. */
    static BlockingOperations inside(BlockingOperations memory) {
        return memory instanceof RecordedOperations recorded ? recorded.memory : memory;
    }

    /** The wrapped sequence. */
    static RemoteSequence inside(RemoteSequence sequence) {
        return sequence instanceof RecordedSequence recorded ? recorded.sequence : sequence;
    }

    private static SlowOperationEvent begin() {
        SlowOperationEvent event = new SlowOperationEvent();
        event.begin();
        return event;
    }

    @Override
    public long read(long pointer) {
        SlowOperationEvent event = begin();
        try {
            return memory.read(pointer);
        } finally {
            event.finish("READ", pointer, Long.BYTES);
        }
    }

    @Override
    public void write(long pointer, long value) {
        SlowOperationEvent event = begin();
        try {
            memory.write(pointer, value);
        } finally {
            event.finish("WRITE", pointer, Long.BYTES);
        }
    }

    @Override
    public void post(long pointer, long value) {
        memory.post(pointer, value);
    }

    @Override
    public void postRepeated(long pointer, long value) {
        memory.postRepeated(pointer, value);
    }

    @Override
    public long compareAndSwap(long pointer, long expected, long desired) {
        SlowOperationEvent event = begin();
        try {
            return memory.compareAndSwap(pointer, expected, desired);
        } finally {
            event.finish("COMPARE_AND_SWAP", pointer, Long.BYTES);
        }
    }

    @Override
    public long fetchAndAdd(long pointer, long delta) {
        SlowOperationEvent event = begin();
        try {
            return memory.fetchAndAdd(pointer, delta);
        } finally {
            event.finish("FETCH_AND_ADD", pointer, Long.BYTES);
        }
    }

    @Override
    public void read(long pointer, LocalBuffer to, long toOffset, int length) {
        SlowOperationEvent event = begin();
        try {
            memory.read(pointer, to, toOffset, length);
        } finally {
            event.finish("READ", pointer, length);
        }
    }

    @Override
    public void write(long pointer, LocalBuffer from, long fromOffset, int length) {
        SlowOperationEvent event = begin();
        try {
            memory.write(pointer, from, fromOffset, length);
        } finally {
            event.finish("WRITE", pointer, length);
        }
    }

    @Override
    public void postFetchAndAdd(long pointer, long delta) {
        memory.postFetchAndAdd(pointer, delta);
    }

    @Override
    public void postRelease(long lock, long mark) {
        memory.postRelease(lock, mark);
    }

    @Override
    public boolean hasCleanups() {
        return memory.hasCleanups();
    }

    @Override
    public void cleanUp(Runnable cleanup) {
        memory.cleanUp(cleanup);
    }

    @Override
    public void repeatLostReleases() {
        memory.repeatLostReleases();
    }

    @Override
    public void release(long lock, long mark) {
        SlowOperationEvent event = begin();
        try {
            memory.release(lock, mark);
        } finally {
            event.finish("COMPARE_AND_SWAP", lock, Long.BYTES);
        }
    }

    @Override
    public void place() {
        SlowOperationEvent event = begin();
        try {
            memory.place();
        } finally {
            event.finish("PLACE", 0, 0);
        }
    }

    @Override
    public int unplacedLanes() {
        return memory.unplacedLanes();
    }

    @Override
    public long localReads() {
        return memory.localReads();
    }

    @Override
    public RemoteSequence newSequence() {
        return new RecordedSequence(memory.newSequence());
    }

    /** Records the execution of a sequence; adding operations takes no time. */
    private static final class RecordedSequence extends RemoteSequence {
        private final RemoteSequence sequence;

        RecordedSequence(RemoteSequence sequence) {
            this.sequence = sequence;
        }

        @Override
        public void clear() {
            sequence.clear();
        }

        @Override
        public void read(long pointer, LocalBuffer to, long toOffset, int length) {
            sequence.read(pointer, to, toOffset, length);
        }

        @Override
        public void write(long pointer, LocalBuffer from, long fromOffset, int length) {
            sequence.write(pointer, from, fromOffset, length);
        }

        @Override
        public void compareAndSwap(long pointer, long expected, long desired, LocalBuffer result, long resultOffset) {
            sequence.compareAndSwap(pointer, expected, desired, result, resultOffset);
        }

        @Override
        public void fetchAndAdd(long pointer, long delta, LocalBuffer result, long resultOffset) {
            sequence.fetchAndAdd(pointer, delta, result, resultOffset);
        }

        @Override
        public void execute() {
            SlowOperationEvent event = begin();
            try {
                sequence.execute();
            } finally {
                event.finish("SEQUENCE", 0, 0);
            }
        }

        @Override
        public void post() {
            sequence.post();
        }
    }
}
