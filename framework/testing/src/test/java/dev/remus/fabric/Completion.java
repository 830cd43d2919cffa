// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.await.Await;
import java.util.ArrayList;
import java.util.List;

/** One completion, as a value to compare. */
record Completion(long id, CompletionStatus status) {
    private static final int BATCH = 16;

    static Completion success(long id) {
        return new Completion(id, CompletionStatus.SUCCESS);
    }

    static Completion refused(long id) {
        return new Completion(id, CompletionStatus.REMOTE_ACCESS_ERROR);
    }

    static Completion flushed(long id) {
        return new Completion(id, CompletionStatus.FLUSHED);
    }

    /** Polls a lane until it has returned at least {@code n} completions; returns all of them. */
    static List<Completion> await(Lane lane, int n) {
        List<Completion> all = new ArrayList<>();
        Completions batch = new Completions(BATCH);
        Await.until(n + " completions of " + lane, () -> {
            all.addAll(pollOnce(lane, batch));
            return all.size() >= n;
        });
        return all;
    }

    /** Posts a chain and returns its completions, which must be exactly {@code n}. */
    static List<Completion> of(Lane lane, Chain chain, int n) {
        lane.post(chain);
        List<Completion> all = await(lane, n);
        assertThat(all).hasSize(n);
        assertThat(pollOnce(lane, new Completions(BATCH))).isEmpty();
        return all;
    }

    static List<Completion> pollOnce(Lane lane, Completions batch) {
        int n = lane.poll(batch);
        assertThat(batch.size()).isEqualTo(n);
        List<Completion> found = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            found.add(new Completion(batch.id(i), batch.status(i)));
        }
        return found;
    }
}
