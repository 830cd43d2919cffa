// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import dev.remus.fabric.shm.LocalClusters.Look;
import dev.remus.fabric.shm.LocalClusters.Lost;
import java.io.IOException;
import java.time.LocalTime;
import java.util.List;
import java.util.Optional;

/** A cluster that is shown while it runs and after its end. */
final class WatchedCluster implements AutoCloseable {
    private final Watch watch;
    private final Locks locks = new Locks();
    private final Epochs epochs = new Epochs();
    private final Screen screen;
    private Optional<Look> newest = Optional.empty();
    private Optional<Lost> lost = Optional.empty();
    private LocalTime end = LocalTime.MIDNIGHT;

    WatchedCluster(Watch watch, boolean coloured) {
        this.watch = watch;
        this.screen = new Screen(locks, epochs, coloured);
    }

    /** Polls the cluster; false if it does not exist, or has ended. */
    boolean poll() throws IOException {
        Optional<Look> look = watch.look();
        if (look.isPresent()) {
            newest = look;
            screen.note(look.get(), LocalTime.now());
            long now = System.nanoTime();
            locks.begin(look.get(), watch::words, now);
            epochs.poll(look.get(), watch::words, now);
        } else if (watch.hasEnded()) {
            lost = watch.lost();
            end = LocalTime.now();
        }
        return look.isPresent();
    }

    void sampleLocks() throws IOException {
        locks.sample(watch::words);
    }

    boolean hasEnded() {
        return watch.hasEnded();
    }

    boolean hasSpeeds() {
        return watch.hasEnded() || newest.map(screen::hasSpeeds).orElse(true);
    }

    /** The lines to show. The cluster must have been polled successfully once. */
    List<String> lines() {
        Look look = newest.orElseThrow();
        return watch.hasEnded() ? screen.showEnded(look, lost, end) : screen.show(look);
    }

    @Override
    public void close() throws IOException {
        watch.close();
    }
}
