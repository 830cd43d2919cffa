// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import dev.remus.fabric.LossKind;
import dev.remus.fabric.shm.LocalClusters.Look;
import dev.remus.fabric.shm.LocalClusters.Lost;
import dev.remus.fabric.shm.LocalClusters.State;
import java.io.IOException;
import java.util.Optional;

/** Watches those nodes of a cluster that run on this machine, by their notices. Its memory cannot be read. */
final class NoticeWatch implements Watch {
    private final String key;
    private Optional<Look> last = Optional.empty();
    private boolean ended;

    /** @param key {@link Sighting#key} */
    NoticeWatch(String key) {
        this.key = key;
    }

    @Override
    public Optional<Look> look() throws IOException {
        Optional<Look> now = ended
                ? Optional.empty()
                : Sighting.ofNotices().stream()
                        .filter(sighting -> sighting.key().equals(key) && sighting.isAlive())
                        .map(Sighting::look)
                        .findFirst();
        ended |= now.isEmpty() && last.isPresent();
        last = now.or(() -> last);
        return now;
    }

    @Override
    public boolean hasEnded() {
        return ended;
    }

    @Override
    public Optional<Lost> lost() {
        return last.flatMap(look -> look.lost()
                .or(() -> look.nodes().stream()
                        .filter(node -> node.state() == State.LOST)
                        .map(node -> new Lost(node.id(), LossKind.ENDED))
                        .findFirst()));
    }

    /** The epoch and the announcements, which a Memory Node posts; no other words. */
    @Override
    public Optional<long[]> words(long pointer, int count) {
        return last.filter(look -> look.nodes().stream()
                        .anyMatch(node ->
                                Long.toString(pointer).equals(node.notice().get("epoch"))))
                .flatMap(look -> Sighting.epochs(look, count));
    }

    @Override
    public void close() {}
}
