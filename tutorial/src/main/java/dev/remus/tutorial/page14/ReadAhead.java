// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page14;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.CostModel;
import dev.remus.fabric.LocalBuffer;
import dev.remus.node.ComputeThread;
import dev.remus.node.RemoteFuture;
import dev.remus.tools.harness.ModelRun;
import java.util.Locale;

/** Solution of the exercise: reads chunks of remote memory while it computes on those that have arrived. */
public final class ReadAhead {
    private static final int CHUNKS = 64;
    private static final long SHORT_NANOS = 3000;
    private static final long LONG_NANOS = 6000;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final int MOST_AHEAD = 2;
    private static final int CHUNK_BYTES = 64;

    private final long first;
    private final int chunks;
    private final LocalBuffer local; // one place for the chunk in use, and one for each that is read ahead
    private final RemoteFuture[] reads;

    /** Makes a handle to chunks that lie one behind the other, and that reads so many ahead. */
    public ReadAhead(long first, int chunks, int ahead, ComputeThread ct) {
        this.first = first;
        this.chunks = chunks;
        local = ct.allocateLocal((long) (ahead + 1) * CHUNK_BYTES);
        reads = new RemoteFuture[ahead + 1];
    }

    /** Makes chunks in remote memory; each word of a chunk holds the chunk's number. */
    public static long create(int chunks, ComputeThread ct) {
        long first = ct.allocate((long) chunks * CHUNK_BYTES);
        for (int offset = 0; offset < chunks * CHUNK_BYTES; offset += Long.BYTES) {
            ct.post(first + offset, offset / CHUNK_BYTES);
        }
        ct.place();
        return first;
    }

    // #region sum
    /** Adds up all words of all chunks, and computes for so long on each chunk. */
    public long sum(long workNanos, ComputeThread ct) {
        int ahead = reads.length - 1;
        long sum = 0;
        for (int posted = 0; posted < Math.min(ahead, chunks); posted++) {
            post(posted, ct);
        }
        for (int chunk = 0; chunk < chunks; chunk++) {
            if (chunk + ahead < chunks) {
                post(chunk + ahead, ct); // its place became free with the chunk before this one
            }
            reads[chunk % reads.length].await();
            for (int offset = 0; offset < CHUNK_BYTES; offset += Long.BYTES) {
                sum += local.getLong(place(chunk) + offset);
            }
            compute(workNanos, ct);
        }
        return sum;
    }

    private void post(int chunk, ComputeThread ct) {
        reads[chunk % reads.length] =
                ct.async().read(first + (long) chunk * CHUNK_BYTES, local, place(chunk), CHUNK_BYTES);
    }

    /** Stands for work of the processor, which takes time without a round trip. */
    private static void compute(long nanos, ComputeThread ct) {
        long end = ct.nanoTime() + nanos;
        while (ct.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    private long place(int chunk) {
        return (long) (chunk % reads.length) * CHUNK_BYTES;
    }
    // #endregion sum

    /** Takes no arguments. */
    public static void main(String... args) throws Exception {
        ClusterConfig config = ClusterConfig.builder()
                .memoryNodes(0, 0)
                .computeNodes(1, 1)
                .threadsPerNode(1)
                .build();
        System.out.println("chunks read ahead   µs for each, if computing takes 3 µs   or 6 µs");
        new ModelRun(config, CostModel.read("infiniband-fdr"), 1).run("reading ahead", ct -> {
            long first = create(CHUNKS, ct);
            for (int ahead = 0; ahead <= MOST_AHEAD; ahead++) {
                System.out.printf(
                        Locale.ROOT,
                        "%17d %38.1f %8.1f%n",
                        ahead,
                        microsForEach(first, ahead, SHORT_NANOS, ct),
                        microsForEach(first, ahead, LONG_NANOS, ct));
            }
        });
    }

    private static double microsForEach(long first, int ahead, long workNanos, ComputeThread ct) {
        ReadAhead handle = new ReadAhead(first, CHUNKS, ahead, ct);
        long start = ct.nanoTime();
        handle.sum(workNanos, ct);
        return (ct.nanoTime() - start) / NANOS_PER_MICRO / CHUNKS;
    }
}
