// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UndoTest {
    @Test
    void aFailureToCleanUpDoesNotHideTheFirstOne() {
        IOException first = new IOException("no space");
        IOException second = new IOException("cannot list the folder");
        Undo.after(first, () -> {
            throw second;
        });
        assertThat(first).hasMessage("no space").hasSuppressedException(second);
    }

    @Test
    void allStepsRunEvenIfOneFails() {
        List<Integer> taken = new ArrayList<>();
        Undo.after(
                new IOException("no space"),
                () -> taken.add(1),
                () -> {
                    throw new IllegalStateException("not open");
                },
                () -> taken.add(3));
        assertThat(taken).containsExactly(1, 3);
    }
}
