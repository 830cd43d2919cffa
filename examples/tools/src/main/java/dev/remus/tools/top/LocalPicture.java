// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import dev.remus.fabric.shm.LocalClusters;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** The clusters on this machine: those that run, then those that have ended, the latest first. */
final class LocalPicture implements Picture {
    /** The additional samples of each lock per poll, a millisecond apart. */
    private static final int LOCK_SAMPLES = 49;

    /** The most clusters that stay after their end. */
    private static final int MAX_ENDED = 3;

    private final Optional<String> only;
    private final boolean coloured;
    private final TreeMap<String, WatchedCluster> running = new TreeMap<>();
    private final ArrayDeque<WatchedCluster> ended = new ArrayDeque<>();

    /** @param only the name of the cluster to show; empty for all */
    LocalPicture(Optional<String> only, boolean coloured) {
        this.only = only;
        this.coloured = coloured;
    }

    @Override
    public void poll() throws IOException, InterruptedException {
        for (String name : only.map(List::of).orElse(LocalClusters.names())) {
            running.computeIfAbsent(
                    Sighting.key(Sighting.SHM, name), key -> new WatchedCluster(new ShmWatch(name), coloured));
        }
        for (Sighting seen : Sighting.ofNotices()) {
            if (only.map(seen.look().name()::equals).orElse(true) && seen.isAlive()) {
                running.computeIfAbsent(seen.key(), key -> new WatchedCluster(new NoticeWatch(key), coloured));
            }
        }
        for (WatchedCluster cluster : List.copyOf(running.values())) {
            if (!cluster.poll()) {
                running.values().remove(cluster);
                cluster.close();
                if (cluster.hasEnded()) {
                    ended.addFirst(cluster);
                }
            }
        }
        for (int i = 0; i < LOCK_SAMPLES && !running.isEmpty(); i++) {
            Thread.sleep(1);
            for (WatchedCluster cluster : running.values()) {
                cluster.sampleLocks();
            }
        }
        while (ended.size() > MAX_ENDED) {
            ended.removeLast();
        }
    }

    @Override
    public boolean isComplete() {
        return running.values().stream().allMatch(WatchedCluster::hasSpeeds);
    }

    @Override
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        List<WatchedCluster> clusters = new ArrayList<>(running.values());
        clusters.addAll(ended);
        for (WatchedCluster cluster : clusters) {
            if (!lines.isEmpty()) {
                lines.add("");
            }
            lines.addAll(cluster.lines());
        }
        return lines;
    }

    @Override
    public boolean isEmpty() {
        return running.isEmpty() && ended.isEmpty();
    }

    @Override
    public String none() {
        return only.map(name -> "no cluster '" + name + "' is running on this machine; ./remus top shows all")
                .orElse("no cluster is running on this machine; ./remus intset starts one");
    }

    @Override
    public void forgetEnded() {
        ended.clear();
    }
}
