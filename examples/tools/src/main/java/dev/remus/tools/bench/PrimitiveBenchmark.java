// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One operation on one word (or 64 bytes), in three forms: a VarHandle on the mapped segment ({@code reference...}),
 * the Compute Thread ({@code thread...}), and a field of a remote record ({@code field...}).
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls start() first
public class PrimitiveBenchmark {
    private static final int BYTES = 64;
    private static final int DEPENDENT = 64;

    private static final class Word extends RemoteRecord {
        private final RemoteLong value = longField();
    }

    private final Word word = new Word();
    private final Word link = new Word();
    private OneProcess cluster;
    private MappedByteBuffer same;
    private LocalBuffer local;
    private long pointer;
    private int offset;
    private long value;

    /** Pointer to a word that holds it. */
    private long ownPointer;

    /** Offset of a word that holds it. */
    private int ownOffset;

    /** Starts a cluster. */
    @Setup
    public void start() throws IOException {
        start(new OneProcess());
    }

    final void start(OneProcess started) throws IOException {
        cluster = started;
        pointer = cluster.ct().allocate(BYTES);
        offset = (int) RdmaPtr.offset(pointer);
        word.at(pointer);
        local = cluster.ct().allocateLocal(BYTES);
        same = SameMemory.of(cluster, RdmaPtr.segment(pointer));
        cluster.ct().write(pointer, 0);
        ownPointer = pointer + Long.BYTES;
        cluster.ct().write(ownPointer, ownPointer);
        ownOffset = offset + 2 * Long.BYTES;
        SameMemory.LONG.setVolatile(same, ownOffset, (long) ownOffset);
    }

    /** Does each operation once through the Compute Thread and as a field. */
    final void useAll() {
        threadRead();
        threadWrite();
        threadCas();
        threadFaa();
        fieldRead();
    }

    /** Stops the cluster. */
    @TearDown
    public void stop() {
        cluster.close();
    }

    @Benchmark
    public long referenceRead() {
        return (long) SameMemory.LONG.getVolatile(same, offset);
    }

    @Benchmark
    public long threadRead() {
        return cluster.ct().read(pointer);
    }

    @Benchmark
    public long fieldRead() {
        return word.value.load(cluster.ct());
    }

    /** Where each operation returns what the next one needs, its latency counts. */
    @Benchmark
    @OperationsPerInvocation(DEPENDENT)
    public long referenceReadDependent() {
        long at = ownOffset;
        for (int i = 0; i < DEPENDENT; i++) {
            at = (long) SameMemory.LONG.getVolatile(same, (int) at);
        }
        return at;
    }

    @Benchmark
    @OperationsPerInvocation(DEPENDENT)
    public long threadReadDependent() {
        long at = ownPointer;
        for (int i = 0; i < DEPENDENT; i++) {
            at = cluster.ct().read(at);
        }
        return at;
    }

    @Benchmark
    @OperationsPerInvocation(DEPENDENT)
    public long fieldReadDependent() {
        long at = ownPointer;
        for (int i = 0; i < DEPENDENT; i++) {
            link.at(at);
            at = link.value.load(cluster.ct());
        }
        return at;
    }

    @Benchmark
    public void referenceWrite() {
        SameMemory.LONG.setVolatile(same, offset, value++);
    }

    @Benchmark
    public void threadWrite() {
        cluster.ct().write(pointer, value++);
    }

    @Benchmark
    public void fieldWrite() {
        word.value.store(value++, cluster.ct());
    }

    @Benchmark
    public long referenceCas() {
        return (long) SameMemory.LONG.compareAndExchange(same, offset, value, ++value);
    }

    @Benchmark
    public long threadCas() {
        return cluster.ct().compareAndSwap(pointer, value, ++value);
    }

    @Benchmark
    public long fieldCas() {
        return word.value.compareAndExchange(value, ++value, cluster.ct());
    }

    @Benchmark
    public long referenceFaa() {
        return (long) SameMemory.LONG.getAndAdd(same, offset, 1L);
    }

    @Benchmark
    public long threadFaa() {
        return cluster.ct().fetchAndAdd(pointer, 1);
    }

    @Benchmark
    public long fieldFaa() {
        return word.value.fetchAdd(1, cluster.ct());
    }

    @Benchmark
    public long referenceRead64() {
        long sum = 0;
        for (int i = 0; i < BYTES; i += Long.BYTES) {
            sum ^= (long) SameMemory.LONG.getOpaque(same, offset + i);
        }
        return sum;
    }

    @Benchmark
    public long threadRead64() {
        cluster.ct().read(pointer, local, 0, BYTES);
        return local.getLong(0);
    }
}
