// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import dev.remus.fabric.shm.ClusterWatch;
import dev.remus.fabric.shm.LocalClusters.Look;
import dev.remus.fabric.shm.LocalClusters.Lost;
import dev.remus.memory.RdmaPtr;
import java.io.IOException;
import java.util.Optional;

/** Watches a cluster of the {@code shm} fabric, whose memory it can read. */
final class ShmWatch implements Watch {
    private final ClusterWatch watch;

    ShmWatch(String cluster) {
        this.watch = new ClusterWatch(cluster);
    }

    @Override
    public Optional<Look> look() throws IOException {
        return watch.look();
    }

    @Override
    public boolean hasEnded() {
        return watch.hasEnded();
    }

    @Override
    public Optional<Lost> lost() throws IOException {
        return watch.lost();
    }

    @Override
    public Optional<long[]> words(long pointer, int count) throws IOException {
        return watch.words(RdmaPtr.node(pointer), RdmaPtr.segment(pointer), RdmaPtr.offset(pointer), count);
    }

    @Override
    public void close() throws IOException {
        watch.close();
    }
}
