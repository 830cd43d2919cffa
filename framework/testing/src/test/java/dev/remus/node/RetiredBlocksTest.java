// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.memory.RdmaPtr;
import org.junit.jupiter.api.Test;

/** The dates of retired blocks, which threads of a node may give in another order than they have read the epoch. */
class RetiredBlocksTest {
    private static final long SIZE = 64;
    private static final long FIRST = 64;
    private static final long SECOND = 128;
    private static final long THIRD = 192;

    private final RetiredBlocks blocks = new RetiredBlocks();

    @Test
    void aBlockIsDueFromTheEpochOfItsDateOn() {
        blocks.add(FIRST, SIZE);
        assertThat(blocks.takeUpTo(9)).isEqualTo(RdmaPtr.NULL);
        blocks.date(5);
        assertThat(blocks.takeUpTo(4)).isEqualTo(RdmaPtr.NULL);
        assertThat(blocks.takeUpTo(5)).isEqualTo(FIRST);
        assertThat(blocks.takenBytes()).isEqualTo(SIZE);
        assertThat(blocks.count()).isZero();
    }

    @Test
    void aThreadWithAnOlderEpochMakesNoBlockDueEarlierThatWasDatedBefore() {
        blocks.add(FIRST, SIZE);
        blocks.date(5);
        blocks.add(SECOND, SIZE);
        blocks.date(4); // by a thread that was slower
        blocks.add(THIRD, SIZE);
        blocks.date(6);
        checkDates();
    }

    @Test
    void theSameHoldsOnceAThreadHasLookedWhetherTheOldestBlockIsDue() {
        blocks.add(FIRST, SIZE);
        blocks.date(5);
        assertThat(blocks.takeUpTo(3)).isEqualTo(RdmaPtr.NULL);
        blocks.add(SECOND, SIZE);
        blocks.date(4);
        blocks.add(THIRD, SIZE);
        blocks.date(6);
        checkDates();
    }

    private void checkDates() {
        assertThat(blocks.takeUpTo(4)).isEqualTo(RdmaPtr.NULL);
        assertThat(blocks.takeUpTo(5)).isEqualTo(FIRST);
        assertThat(blocks.takeUpTo(5)).isEqualTo(SECOND);
        assertThat(blocks.takeUpTo(5)).isEqualTo(RdmaPtr.NULL);
        assertThat(blocks.takeUpTo(6)).isEqualTo(THIRD);
        assertThat(blocks.count()).isZero();
    }

    @Test
    void aThreadThatKnowsFewerBlocksThanAreDatedChangesNothing() {
        RetiredPool pool = new RetiredPool();
        pool.put(FIRST, SIZE);
        long slower = pool.added();
        pool.put(SECOND, SIZE);
        pool.date(5, pool.added());
        pool.takeUpTo(3, RetiredBlocksTest::fail);
        pool.date(5, slower);
        int[] taken = {0};
        pool.takeUpTo(5, (block, size) -> taken[0]++);
        assertThat(taken[0]).isEqualTo(2);
        assertThat(pool.count()).isZero();
    }

    private static void fail(long block, long size) {
        throw new AssertionError(RdmaPtr.toString(block) + " is not due");
    }
}
