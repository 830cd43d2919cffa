// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.TestCluster;
import org.junit.jupiter.api.Test;

/** The words of the cells of a scalable queue. */
class TurnWordsTest {
    private static final long BLOCK = RdmaPtr.raw(0, 0, 4096);

    private static TurnWords words(int aheadBits) {
        return new TurnWords(TestCluster.config(1, 1, 1).build(), aheadBits);
    }

    @Test
    void aTextSaysWhichTurnsAreOverAndWhetherThereIsAnItem() {
        TurnWords words = words(6);
        long item = words.item(7, BLOCK);
        assertThat(words.turnText(item)).isEqualTo("turn 7");
        assertThat(words.turnText(words.over(9, item))).isEqualTo("turn 7, 2 ahead");
        assertThat(words.turnText(words.over(7))).isEqualTo("turn 7 over");
        assertThat(words.toString(item)).startsWith("turn 7, ");
        assertThat(words.toString(words.over(7))).isEqualTo("turn 7 over");
    }

    @Test
    void aLateCellStaysLateWhenLaterTurnsGetOver() {
        TurnWords words = words(1);
        long late = words.over(8, words.item(7, BLOCK));
        assertThat(words.isLate(late)).isTrue();
        assertThat(words.over(9, late)).as("nobody counts any further").isEqualTo(late);
        long taken = late + words.removal(late);
        long closed = words.over(9, taken);
        assertThat(words.isLate(closed)).isTrue();
        assertThat(words.isOpen(9, closed)).isFalse();
        assertThat(words.isOpen(10, closed)).as("the next turn").isTrue();
    }

    @Test
    void aCellIsNotLateForAnItemOfItsOwn() {
        TurnWords words = words(1);
        assertThat(words.isLate(words.item(7, BLOCK))).isFalse();
        assertThat(words.isLate(words.over(7))).isFalse();
        assertThat(words.over(8, words.over(7))).isEqualTo(words.over(8));
    }
}
