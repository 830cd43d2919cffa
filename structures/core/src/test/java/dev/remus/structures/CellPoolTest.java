// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import dev.remus.record.Codecs;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A thread's cells of a lock-free queue, taken up by several handles. */
class CellPoolTest {
    private static final int CELLS = 3;
    private static final int THREADS = 1;

    /**
     * A handle whose lane breaks may leave cells that were never used. The next handle took them for cells of
     * generation 0, which is later than any beyond half of them.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 5, -3})
    void cellsThatWereNeverUsedChangeNoGeneration(long beyondHalf) throws Exception {
        CellWords words = new CellWords(THREADS + 1, CELLS);
        long generation = (1L << words.generationBits() - 1) + beyondHalf;
        TestCluster.of(TestCluster.config(1, 1, THREADS).checkMemory(true).build())
                .run(ct -> {
                    RdmaPtr<CellList> list = LockFreeQueue.create(CELLS - 1, Codecs.LONG, generation, ct);
                    long horizon = words.firstCell(generation);
                    open(list, words, horizon, ct);
                    long first = open(list, words, horizon, ct).newCell(7L, ct);
                    assertThat(words.generation(first)).isEqualTo(generation + 1);
                    long second = open(list, words, horizon, ct).newCell(8L, ct);
                    assertThat(words.generation(second)).isEqualTo(generation + 2);
                });
    }

    /** Opens the cells as the first enqueue through a handle does. */
    private static CellPool<Long> open(RdmaPtr<CellList> This, CellWords words, long horizon, ComputeThread ct) {
        CellList list = CellList.open(This, Codecs.LONG, ct);
        CellDirectory directory = new CellDirectory(list, words, CELLS, Codecs.LONG);
        CellPool<Long> pool = new CellPool<>(list, words, directory, CELLS, Codecs.LONG, ct);
        pool.open(horizon, ct);
        return pool;
    }
}
