// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import dev.remus.await.Await;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Lets threads share a lane as {@link Lane} requires: the polling thread passes all completions on by their ids. */
final class CompletionRouter {
    private final Lane lane;
    private final AtomicLong lastId = new AtomicLong();
    private final Map<Long, CompletionStatus> arrived = new ConcurrentHashMap<>();

    CompletionRouter(Lane lane) {
        this.lane = lane;
    }

    Lane lane() {
        return lane;
    }

    /** Posts a chain with its last request signalled, and waits until that has completed. */
    CompletionStatus execute(Chain chain, Completions batch) {
        long id = lastId.incrementAndGet();
        chain.signalled(id);
        Await.until("room on " + lane, () -> {
            boolean posted = lane.tryPost(chain);
            if (!posted) {
                poll(batch);
            }
            return posted;
        });
        Await.until("completion " + id + " of " + lane, () -> {
            poll(batch);
            return arrived.containsKey(id);
        });
        return arrived.remove(id);
    }

    private void poll(Completions batch) {
        int n = lane.poll(batch);
        for (int i = 0; i < n; i++) {
            if (arrived.put(batch.id(i), batch.status(i)) != null) {
                throw new AssertionError("two completions have the id " + batch.id(i));
            }
        }
    }
}
