// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class WatcherTest {
    private static final long BYTES = 1 << 20;

    private final SimWorld world = new SimWorld(new RandomScheduler(1), Set.of());
    private final SimSegment segment = new SimSegment(world, 0, BYTES);
    private final SimTask task = new SimTask(world, other -> {}, "waiter", false);

    private void watchFirstWordAndSeeTheLastMeanwhile() {
        task.watcher().saw(segment, 0, 0);
        task.watcher().watch();
        task.watcher().saw(segment, BYTES - Long.BYTES, 0); // the answer of an earlier request
    }

    @Test
    void aThreadThatSeesAnotherWordWhileItPausesIsWokenByTheFirst() {
        watchFirstWordAndSeeTheLastMeanwhile();
        segment.set(0, 1);
        assertThat(world.isIdle()).isFalse();
    }

    @Test
    void aThreadThatSeesAnotherWordWhileItPausesCanEndItsPause() {
        watchFirstWordAndSeeTheLastMeanwhile();
        task.watcher().unwatch();
        segment.set(0, 1);
        assertThat(world.isIdle()).isTrue();
    }
}
