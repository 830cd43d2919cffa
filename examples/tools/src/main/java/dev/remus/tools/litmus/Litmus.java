// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.litmus;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Chain;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Lane;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.RemoteSegment;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * Three tests of a fabric's memory, each with two threads that use the same memory through separate lanes:
 *
 * <pre>
 *              one lane                          the other lane
 *  words       WRITEs of 8 equal bytes           READs: are the 8 bytes equal?
 *  records     WRITEs of many equal bytes        READs: are the bytes of each word, and all words, equal?
 *  lost        CASes that fail                   a WRITE; once it has completed, a READ: is it still there?
 * </pre>
 *
 * A Memory Node and a Compute Node of this process run the tests, without a cluster.
 */
public final class Litmus {
    /** More than the largest packet of any network, so that a transfer takes several packets. */
    public static final int RECORD_BYTES = 16 << 10;

    private static final int WORD_SLOTS = 16;
    private static final int RECORD_SLOTS = 4;
    private static final long WORD = 64;
    private static final long RECORD = 4096;
    private static final long LOCAL_BYTES = RECORD_SLOTS * (long) RECORD_BYTES;
    private static final long SAME_BYTES = 0x0101_0101_0101_0101L;

    /** A value that no WRITE writes. */
    private static final long NEVER = Long.MIN_VALUE;

    private static final long LAST_COMPLETIONS_SECONDS = 60;

    private final Lane disturbing;
    private final Lane observing;
    private final RemoteSegment segment;
    private final LocalBuffer written;
    private final LocalBuffer read;

    private long words;
    private long tornWords;
    private long records;
    private long tornRecords;
    private long writes;
    private long lostWrites;
    private volatile boolean stopped;

    /**
     * @param segment a segment of at least 64 KiB
     * @param written {@link #LOCAL_BYTES} for the disturbing thread
     * @param read {@link #LOCAL_BYTES} for the observing thread
     */
    Litmus(Lane disturbing, Lane observing, RemoteSegment segment, LocalBuffer written, LocalBuffer read) {
        this.disturbing = disturbing;
        this.observing = observing;
        this.segment = segment;
        this.written = written;
        this.read = read;
    }

    /**
     * Measures on this machine.
     *
     * @param settings adds the fabric's settings to a configuration of one Memory Node, 0, and one Compute Node, 1
     * @param each the duration of each test
     * @throws FabricException if the fabric cannot be used here, or a request fails
     */
    public static LitmusResult run(UnaryOperator<ClusterConfig.Builder> settings, Duration each) {
        ClusterConfig config = settings.apply(ClusterConfig.builder()
                        .cluster("litmus-" + ProcessHandle.current().pid())
                        .memoryNodes(0, 0)
                        .computeNodes(1, 1)
                        .segmentSizeLog2(16)
                        .segmentsPerNode(1))
                .build();
        Fabric fabric = Fabric.of(config);
        try (MemoryEndpoint memory = fabric.openMemory(config, 0);
                ComputeEndpoint compute = fabric.openCompute(config, 1)) {
            memory.publish();
            try (Link link = compute.connect(0, 2, config.connectTimeout())) {
                return new Litmus(
                                link.lane(0),
                                link.lane(1),
                                link.segment(0),
                                compute.allocateLocal(LOCAL_BYTES),
                                compute.allocateLocal(LOCAL_BYTES))
                        .measure(each);
            }
        }
    }

    LitmusResult measure(Duration each) {
        beside(new Filling(WORD, Long.BYTES), WORD_SLOTS, each, this::readWords);
        beside(new Filling(RECORD, RECORD_BYTES), RECORD_SLOTS, each, this::readRecords);
        beside(new FailingCas(), WORD_SLOTS, each, this::writeAndReread);
        return new LitmusResult(words, tornWords, records, tornRecords, writes, lostWrites);
    }

    /** Runs an observation for a while, with disturbing traffic on the other lane. */
    private void beside(Traffic.Work disturbance, int slots, Duration each, Observation observation) {
        stopped = false;
        FutureTask<Void> other = new FutureTask<>(
                () -> new Traffic(disturbing, slots).run(disturbance, () -> stopped || Thread.interrupted()), null);
        Thread thread = new Thread(other, "remus-litmus");
        thread.setDaemon(true);
        thread.start();
        long deadline = System.nanoTime() + each.toNanos();
        try {
            observation.run(() -> System.nanoTime() - deadline > 0 || other.isDone());
        } finally {
            stopped = true;
        }
        await(other);
    }

    private interface Observation {
        void run(BooleanSupplier enough);
    }

    private static void await(FutureTask<Void> other) {
        try {
            other.get(LAST_COMPLETIONS_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof FabricException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new FabricException("the disturbing thread of the litmus test does not end", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FabricException("interrupted while measuring", e);
        }
    }

    /** WRITEs of equal bytes, with another value each time. */
    private final class Filling implements Traffic.Work {
        private final long offset;
        private final int bytes;
        private long count;

        Filling(long offset, int bytes) {
            this.offset = offset;
            this.bytes = bytes;
        }

        @Override
        public void append(Chain chain, int slot) {
            long word = (++count & 0xff) * SAME_BYTES;
            long from = (long) slot * bytes;
            for (long at = 0; at < bytes; at += Long.BYTES) {
                written.putLong(from + at, word);
            }
            chain.write(segment, offset, written, from, bytes);
        }
    }

    /** CASes that never find the expected value. */
    private final class FailingCas implements Traffic.Work {
        @Override
        public void append(Chain chain, int slot) {
            chain.compareAndSwap(segment, WORD, NEVER, 0, written, (long) slot * Long.BYTES);
        }
    }

    private void readWords(BooleanSupplier enough) {
        new Traffic(observing, WORD_SLOTS)
                .run(
                        new Traffic.Work() {
                            @Override
                            public void append(Chain chain, int slot) {
                                chain.read(segment, WORD, read, (long) slot * Long.BYTES, Long.BYTES);
                            }

                            @Override
                            public void completed(int slot) {
                                countWord(read.getLong((long) slot * Long.BYTES));
                            }
                        },
                        enough);
    }

    private void countWord(long word) {
        words++;
        if (word != (word & 0xff) * SAME_BYTES) {
            tornWords++;
        }
    }

    private void readRecords(BooleanSupplier enough) {
        new Traffic(observing, RECORD_SLOTS)
                .run(
                        new Traffic.Work() {
                            @Override
                            public void append(Chain chain, int slot) {
                                chain.read(segment, RECORD, read, (long) slot * RECORD_BYTES, RECORD_BYTES);
                            }

                            @Override
                            public void completed(int slot) {
                                countRecord((long) slot * RECORD_BYTES);
                            }
                        },
                        enough);
    }

    private void countRecord(long from) {
        long first = read.getLong(from);
        boolean whole = true;
        for (long at = 0; at < RECORD_BYTES; at += Long.BYTES) {
            long word = read.getLong(from + at);
            countWord(word);
            whole &= word == first;
        }
        records++;
        if (!whole) {
            tornRecords++;
        }
    }

    /** Posts one request at a time: a READ after each completed WRITE, which sees the WRITE unless it is lost. */
    private void writeAndReread(BooleanSupplier enough) {
        new Traffic(observing, 1)
                .run(
                        new Traffic.Work() {
                            private long value;
                            private boolean rereading = true;

                            @Override
                            public void append(Chain chain, int slot) {
                                rereading = !rereading;
                                if (rereading) {
                                    chain.read(segment, WORD, read, Long.BYTES, Long.BYTES);
                                } else {
                                    read.putLong(0, ++value);
                                    chain.write(segment, WORD, read, 0, Long.BYTES);
                                }
                            }

                            @Override
                            public void completed(int slot) {
                                if (rereading) {
                                    writes++;
                                    lostWrites += read.getLong(Long.BYTES) == value ? 0 : 1;
                                }
                            }
                        },
                        enough);
    }
}
