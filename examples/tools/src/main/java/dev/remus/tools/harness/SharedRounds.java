// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;

/**
 * The state that the threads of one experiment with {@link Rounds} share in remote memory.
 *
 * @param <K> the kinds of operations
 */
public class SharedRounds<K extends Enum<K>> extends SharedRun<K> {
    private final RemoteLong lastRound = longField();

    /**
     * A handle that points to no object yet.
     *
     * @param kinds the class of the kinds
     * @param counts the number of counts that are added up over all threads
     * @param verifies whether the threads record their operations
     */
    public SharedRounds(Class<K> kinds, int counts, boolean verifies, ComputeThread ct) {
        super(kinds, counts, verifies, ct);
    }

    @Override
    protected void initMore(ComputeThread ct) {
        lastRound.store(0, ct);
    }

    /**
     * Announces, before the barrier at a round's end, that this thread's run ended early in that round. Rounds count
     * from 1.
     */
    public void endAfter(long round, ComputeThread ct) {
        lastRound.compareAndSet(0, round, ct); // the first round wins: later ones begin only after its barrier
    }

    /** Whether a round was the last of some thread. After the barrier at its end, all threads get the same answer. */
    public boolean hasEndedAfter(long round, ComputeThread ct) {
        long last = lastRound.load(ct);
        return last != 0 && last <= round; // another thread may have finished the next round already
    }

    /** Lets the threads begin rounds anew, between two barriers. All threads must call it. */
    public void beginAgain(ComputeThread ct) {
        ct.barrier();
        Together.once(() -> lastRound.store(0, ct), ct);
    }
}
