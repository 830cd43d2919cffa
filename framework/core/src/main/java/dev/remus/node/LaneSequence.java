// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.Chain;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.RemoteSequence;
import dev.remus.memory.RdmaPtr;

/** A sequence whose operations are posted to a lane as one chain. */
final class LaneSequence extends RemoteSequence {
    /** Executes sequences. */
    interface Target {
        /**
         * Executes the chain and waits for it. A READ or atomic behind its WRITEs places them. If there is none, a READ
         * is added.
         *
         * @param pointer the target of the last request
         */
        void execute(Chain requests, long pointer, boolean endsWithWrite);

        /** Posts the chain and returns at once. */
        void postUnsignalled(Chain requests, long pointer);
    }

    private final ThreadLanes lanes;
    private final Target target;
    private final Chain requests = new Chain(CAPACITY + 1);
    private long pointer;
    private boolean endsWithWrite;

    LaneSequence(ThreadLanes lanes, Target target) {
        this.lanes = lanes;
        this.target = target;
    }

    /** The requests that were added. */
    Chain requests() {
        return requests;
    }

    @Override
    public void clear() {
        requests.clear();
    }

    @Override
    public void read(long from, LocalBuffer to, long toOffset, int length) {
        requests.read(lanes.segment(from), RdmaPtr.offset(from), to, toOffset, length);
        added(from, false);
    }

    @Override
    public void write(long to, LocalBuffer from, long fromOffset, int length) {
        requests.write(lanes.segment(to), RdmaPtr.offset(to), from, fromOffset, length);
        added(to, true);
    }

    @Override
    public void compareAndSwap(long word, long expected, long desired, LocalBuffer result, long resultOffset) {
        requests.compareAndSwap(lanes.segment(word), RdmaPtr.offset(word), expected, desired, result, resultOffset);
        added(word, false);
    }

    @Override
    public void fetchAndAdd(long word, long delta, LocalBuffer result, long resultOffset) {
        requests.fetchAndAdd(lanes.segment(word), RdmaPtr.offset(word), delta, result, resultOffset);
        added(word, false);
    }

    private void added(long where, boolean isWrite) {
        pointer = where;
        endsWithWrite = isWrite;
    }

    @Override
    public void execute() {
        try {
            target.execute(requests, pointer, endsWithWrite);
        } finally {
            requests.clear();
        }
    }

    @Override
    public void post() {
        try {
            target.postUnsignalled(requests, pointer);
        } finally {
            requests.clear();
        }
    }
}
