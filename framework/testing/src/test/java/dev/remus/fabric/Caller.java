// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import static org.assertj.core.api.Assertions.assertThat;

/** Blocking operations of one thread on one lane. They fail the test unless they succeed. */
final class Caller {
    private static final int LOCAL_BYTES = 1 << 16;

    private final Link link;
    private final CompletionRouter router;
    private final Environment.Pauses pauses = RealEnvironment.INSTANCE.newPauses();
    private final LocalBuffer local;
    private final Chain chain = new Chain(8);
    private final Completions batch = new Completions(4);

    Caller(ComputeEndpoint endpoint, Link link, CompletionRouter router) {
        this.link = link;
        this.router = router;
        this.local = endpoint.allocateLocal(LOCAL_BYTES);
    }

    long read(int segment, long offset) {
        chain.clear().read(link.segment(segment), offset, local, 0, Long.BYTES);
        return result();
    }

    /** WRITEs a word. It is placed when this returns. */
    void write(int segment, long offset, long value) {
        local.putLong(8, value);
        RemoteSegment to = link.segment(segment);
        execute(chain.clear().write(to, offset, local, 8, Long.BYTES).read(to, offset, local, 0, Long.BYTES));
    }

    long compareAndSwap(int segment, long offset, long expected, long desired) {
        chain.clear().compareAndSwap(link.segment(segment), offset, expected, desired, local, 0);
        return result();
    }

    long fetchAndAdd(int segment, long offset, long delta) {
        chain.clear().fetchAndAdd(link.segment(segment), offset, delta, local, 0);
        return result();
    }

    /** Like {@link #fetchAndAdd}, however it ends. */
    CompletionStatus attemptFetchAndAdd(int segment, long offset, long delta) {
        return attempt(chain.clear().fetchAndAdd(link.segment(segment), offset, delta, local, 0));
    }

    private long result() {
        execute(chain);
        return local.getLong(0);
    }

    /** Posts a chain with its last request signalled, and waits for it. */
    void execute(Chain chain) {
        assertThat(attempt(chain)).isEqualTo(CompletionStatus.SUCCESS);
    }

    /** Like {@link #execute}, however the last request ends. */
    CompletionStatus attempt(Chain chain) {
        pauses.beforeFirstPoll(); // a virtual thread that polls for long lets others run
        return router.execute(chain, batch);
    }

    Lane lane() {
        return router.lane();
    }

    RemoteSegment segment(int i) {
        return link.segment(i);
    }

    Link link() {
        return link;
    }
}
