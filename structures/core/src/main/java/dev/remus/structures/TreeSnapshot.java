// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import java.util.Arrays;
import java.util.ConcurrentModificationException;

/**
 * A scan of an ordered map whose entries were all there at one moment: it is linearizable as one step.
 *
 * <p>The first round READs the leaves, each {@linkplain TreeNode#readAsPinnedIn behind} its state and its lock. The
 * second round READs the states again. If each leaf was free and has its old state, all copies hold at the moment
 * between the rounds; else the scan starts over. The design note {@code structures/core/design/LongLongTree.md} has the
 * argument.
 *
 * <p>Entries are kept until they are known to belong together, in arrays that grow as needed and stay as large.
 */
class TreeSnapshot extends TreeScan {
    /** How often a scan is tried. */
    static final int ATTEMPTS = 64;

    /** The most states that are READ together. */
    private static final int STATES = 64;

    private static final int FIRST = 64;

    private final TreeCore core;
    private final MapChains chains;
    private LocalBuffer statesNow;

    private final TreeEntries kept;
    private final TreeKey found;

    // The leaves, and the states that they had in the first round.
    private long[] leaves = new long[FIRST];
    private long[] states = new long[FIRST];
    private int leafCount;

    /** Called for each entry of the first round. */
    private final TreeConsumer keeper;

    TreeSnapshot(TreeCore core, int entries, ComputeThread ct) {
        super(core, entries, ct);
        this.core = core;
        this.kept = new TreeEntries(core.This.words(), FIRST);
        this.found = new TreeKey(core.This.words());
        this.keeper = kept::add;
        this.chains = new MapChains(ct);
        this.statesNow = allocateStates(ct);
    }

    private static LocalBuffer allocateStates(ComputeThread ct) {
        return ct.allocateLocal((long) STATES * Long.BYTES);
    }

    @Override
    final void renewLocal(ComputeThread ct) {
        super.renewLocal(ct);
        statesNow = allocateStates(ct);
    }

    /**
     * Passes the entries on that an interval had at one moment, by ascending keys, up to a limit; returns their number.
     *
     * @throws ConcurrentModificationException if there was no such moment in any attempt
     */
    final long scanSnapshot(TreeKey from, TreeKey to, long limit, TreeConsumer consumer, ComputeThread ct) {
        for (int attempt = 1; !keepAll(from, to, limit, ct); attempt++) {
            if (attempt == ATTEMPTS) {
                throw new ConcurrentModificationException("keys from " + from + " to " + to + ": in each of " + ATTEMPTS
                        + " attempts, another thread has changed one of " + leafCount + " leaves");
            }
            ct.pause();
        }
        for (int i = 0; i < kept.size(); i++) {
            consumer.accept(kept.key(i, found), kept.value(i));
        }
        return kept.size();
    }

    /** One attempt. Returns whether all entries that were kept were there at one moment. */
    private boolean keepAll(TreeKey from, TreeKey to, long limit, ComputeThread ct) {
        kept.clear();
        leafCount = 0;
        scan(from, to, limit, keeper, ct);
        return isUnchanged(ct);
    }

    // ------------------------------------------------------------------------------------------------ first round

    @Override
    Sequence readIn(Sequence chain, TreeNode leaf, long at) {
        return leaf.readAsPinnedIn(chain, at);
    }

    @Override
    boolean isUsable(TreeNode leaf) {
        return leaf.isWhole() && leaf.wasFree();
    }

    @Override
    TreeNode search(TreeKey key, ComputeThread ct) {
        return core.searchPinned(key, ct);
    }

    @Override
    final int pass(TreeNode leaf, TreeKey from, TreeKey to, long most, TreeConsumer consumer) {
        if (leafCount == leaves.length) {
            leaves = Arrays.copyOf(leaves, 2 * leafCount);
            states = Arrays.copyOf(states, 2 * leafCount);
        }
        leaves[leafCount] = leaf.pointer();
        states[leafCount++] = leaf.stateBefore();
        return super.pass(leaf, from, to, most, consumer);
    }

    // ------------------------------------------------------------------------------------------------ second round

    /** Whether all leaves still have their states. */
    boolean isUnchanged(ComputeThread ct) {
        boolean isUnchanged = true;
        for (int first = 0; first < leafCount && isUnchanged; first += STATES) {
            int count = Math.min(STATES, leafCount - first);
            for (int i = 0; i < count; i++) {
                chains.post(TreeNode.readStateIn(ct.sequence(), leaves[first + i], statesNow, (long) i * Long.BYTES));
            }
            chains.await();
            for (int i = 0; i < count && isUnchanged; i++) {
                isUnchanged = statesNow.getLong((long) i * Long.BYTES) == states[first + i];
            }
        }
        return isUnchanged;
    }
}
