// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Completions;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Lane;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.Operation;
import dev.remus.fabric.RemoteSegment;
import dev.remus.memory.RdmaPtr;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Throughput of operations of 8 bytes on one lane, with several outstanding, posted singly and as chains. */
final class VerbsThroughput {
    private static final int[] OUTSTANDING = {1, 4, 16};

    private final Lane lane;
    private final RemoteSegment segment;
    private final LocalBuffer local;
    private final long offset;
    private final long nanos;
    private final Completions batch = new Completions(16);
    private final StringBuilder text = new StringBuilder();

    /** @param millis duration of each measurement */
    VerbsThroughput(VerbsCluster cluster, int millis) {
        this.lane = cluster.link().lane(0);
        this.segment = cluster.link().segment(0);
        this.local = cluster.endpoint().allocateLocal(128);
        this.offset = RdmaPtr.offset(cluster.pointer());
        this.nanos = TimeUnit.MILLISECONDS.toNanos(millis);
    }

    void measure() {
        for (Operation operation : Operation.values()) { // to warm up
            rate(operation, 16, 1);
            rate(operation, 16, 16);
        }
        text.append(String.format(
                Locale.ROOT,
                "Operations of 8 bytes per second on one lane%n%-18s %24s   %24s%n%-18s %8s %7s %7s   %8s %7s %7s%n",
                "",
                "posted singly",
                "posted as chains",
                "outstanding",
                1,
                4,
                16,
                1,
                4,
                16));
        for (Operation operation : Operation.values()) {
            text.append(String.format(Locale.ROOT, "%-18s", operation));
            for (int outstanding : OUTSTANDING) {
                text.append(String.format(Locale.ROOT, " %,8d", rate(operation, outstanding, 1)));
            }
            text.append("  ");
            for (int outstanding : OUTSTANDING) {
                text.append(String.format(Locale.ROOT, " %,8d", rate(operation, outstanding, outstanding)));
            }
            text.append('\n');
        }
    }

    /** Keeps {@code outstanding} requests in flight, in chains of the given length with the last request signalled. */
    private long rate(Operation operation, int outstanding, int length) {
        Chain chain = new Chain(length);
        for (int i = 0; i < length; i++) {
            append(chain, operation, i);
        }
        chain.signalled(1);
        int free = outstanding / length;
        long done = 0;
        long start = System.nanoTime();
        long end = start;
        while (free < outstanding / length || end - start < nanos) {
            while (free > 0 && end - start < nanos) {
                lane.post(chain);
                free--;
            }
            int n = lane.poll(batch);
            for (int i = 0; i < n; i++) {
                if (batch.status(i) != CompletionStatus.SUCCESS) {
                    throw new FabricException(operation + " of the measurement ended with " + batch.status(i));
                }
            }
            free += n;
            done += (long) n * length;
            end = System.nanoTime();
        }
        return done * TimeUnit.SECONDS.toNanos(1) / (end - start);
    }

    private void append(Chain chain, Operation operation, int i) {
        long at = Long.BYTES * (long) i;
        long word = offset + Long.BYTES * (long) operation.ordinal();
        switch (operation) {
            case READ -> chain.read(segment, word, local, at, Long.BYTES);
            case WRITE -> chain.write(segment, word, local, at, Long.BYTES);
            case COMPARE_AND_SWAP -> chain.compareAndSwap(segment, word, Long.MIN_VALUE, 0, local, at);
            case FETCH_AND_ADD -> chain.fetchAndAdd(segment, word, 1, local, at);
        }
    }

    String toText() {
        return text.toString();
    }
}
