// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Completions;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Lane;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.RemoteSegment;
import dev.remus.fabric.verbs.BareLoop.Request;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.tools.bench.suite.OtherLoad;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Latency of single operations of 8 bytes, in Java and in C, interleaved. */
final class VerbsLatency {
    private static final Target TARGET = Target.times(1.25);

    /** Warm-up operations of each kind in Java, more than the JVM needs to reach its final compilation. */
    private static final int WARM_UP = 15_000;

    private final VerbsCluster cluster;
    private final int rounds;
    private final int samples;
    private final Map<Request, long[]> java = new EnumMap<>(Request.class);
    private final Map<Request, long[]> c = new EnumMap<>(Request.class);

    private final Lane lane;
    private final RemoteSegment segment;
    private final LocalBuffer local;
    private final Chain chain = new Chain(1);
    private final Completions batch = new Completions(1);

    VerbsLatency(VerbsCluster cluster, int rounds, int samples) {
        this.cluster = cluster;
        this.rounds = rounds;
        this.samples = samples;
        this.lane = cluster.link().lane(0);
        this.segment = cluster.link().segment(0);
        this.local = cluster.endpoint().allocateLocal(Long.BYTES);
    }

    void measure() {
        for (Request request : Request.values()) {
            java.put(request, new long[rounds * samples]);
            c.put(request, new long[rounds * samples]);
        }
        for (Request request : Request.values()) {
            run(request, cluster.pointer() + Long.BYTES * (long) request.ordinal(), new long[WARM_UP]);
        }
        long[] times = new long[samples];
        for (int round = 0; round < rounds; round++) {
            for (Request request : Request.values()) {
                long word = cluster.pointer() + Long.BYTES * (long) request.ordinal();
                cluster.loop().run(request, RdmaPtr.offset(word), times);
                System.arraycopy(times, 0, c.get(request), round * samples, samples);
                run(request, word, times);
                System.arraycopy(times, 0, java.get(request), round * samples, samples);
            }
        }
    }

    /** The median of as many further operations in Java as in a turn, in microseconds. */
    double medianMicros(Request request) {
        long[] times = new long[samples];
        run(request, cluster.pointer() + Long.BYTES * (long) request.ordinal(), times);
        return median(times) / 1000;
    }

    private void run(Request request, long word, long[] times) {
        ComputeThread ct = cluster.ct();
        for (int i = 0; i < times.length; i++) {
            long start = System.nanoTime();
            switch (request) {
                case READ -> ct.read(word);
                case WRITE -> write(word);
                case COMPARE_AND_SWAP -> ct.compareAndSwap(word, Long.MIN_VALUE, 0);
                case FETCH_AND_ADD -> ct.fetchAndAdd(word, 1);
                case PLACED_WRITE -> ct.write(word, 1);
            }
            times[i] = System.nanoTime() - start;
        }
    }

    /** Writes on the bare lane, because no method of Compute Thread waits only for the acknowledgement. */
    private void write(long word) {
        lane.post(chain.clear()
                .write(segment, RdmaPtr.offset(word), local, 0, Long.BYTES)
                .signalled(1));
        while (lane.poll(batch) == 0) {
            Thread.onSpinWait();
        }
        if (batch.status(0) != CompletionStatus.SUCCESS) {
            throw new FabricException("a WRITE of the measurement ended with " + batch.status(0));
        }
    }

    /** @param otherLoad the share of the processors that others used meanwhile */
    String toText(double otherLoad) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "Latency of 8 bytes, median of %,d each, interleaved             µs%n"
                        + "%s%n%-18s %-16s %9s %9s %7s  %s%n",
                rounds * samples,
                OtherLoad.describe(otherLoad),
                "",
                "Java form",
                "C loop",
                "Java",
                "ratio",
                "target"));
        for (Request request : Request.values()) {
            double base = median(Objects.requireNonNull(c.get(request), "measured"));
            double measured = median(Objects.requireNonNull(java.get(request), "measured"));
            text.append(String.format(
                    Locale.ROOT,
                    "%-18s %-16s %9.2f %9.2f %7.2f  %s %s%n",
                    request,
                    request == Request.WRITE ? "Lane" : "ComputeThread",
                    base / 1000,
                    measured / 1000,
                    measured / base,
                    TARGET,
                    OtherLoad.verdict(TARGET.isMetBy(measured, base), otherLoad)));
        }
        return text.toString();
    }

    private static double median(long[] times) {
        long[] sorted = times.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
