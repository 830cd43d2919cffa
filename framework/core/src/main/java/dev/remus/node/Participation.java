// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.Link;
import dev.remus.fabric.NodeLostException;
import dev.remus.logging.Loggers;
import dev.remus.memory.AddressSpace;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** A Compute Node's part in the run: whether it goes on or has given up, and how many of its threads have finished. */
final class Participation {
    private static final Logger LOG = Loggers.of(Participation.class);

    private final List<Link> links;
    private final Membership membership;
    private final AddressSpace space;
    private final AtomicInteger finished = new AtomicInteger();
    private volatile boolean gaveUp;

    /** The reason for giving up; empty if it has not. */
    private volatile String failure = "";

    /** What this node's threads get from then on; null if it has not given up. */
    private volatile @Nullable NodeLostException forThreads;

    Participation(List<Link> links, Membership membership, AddressSpace space) {
        this.links = links;
        this.membership = membership;
        this.space = space;
    }

    /** Whether this node's threads can do nothing more, because it gave up or a loss has ended the run. */
    boolean isOver() {
        return gaveUp || membership.isAborted();
    }

    /** Whether this node has given up, or was declared lost. The others must not believe that it left in good order. */
    boolean hasGivenUp() {
        return gaveUp || membership.ownLoss() != null;
    }

    /** The reason for giving up; empty if it has not. */
    String failure() {
        NodeLostException declared = gaveUp ? null : membership.ownLoss();
        return declared == null ? failure : String.valueOf(declared.getMessage());
    }

    /** Implements {@link ComputeNode#abort}. */
    void abort(String reason) {
        if (isOver()) {
            return; // every node reports the loss that ended the run
        }
        failure = reason;
        gaveUp = true;
        NodeLostException e = membership.fail(reason);
        forThreads = e;
        LOG.info("{}", e.getMessage());
        space.abort(e);
    }

    /** Throws if this node's threads can do nothing more. */
    void check() {
        membership.check();
        NodeLostException e = forThreads;
        if (e != null) {
            throw new NodeLostException(e);
        }
    }

    /** The number of finished threads. */
    int finished() {
        return finished.get();
    }

    /**
     * Reports threads as finished in good order: adds their number to the control flag of every Memory Node.
     *
     * @param fetchAndAdd adds to a word of a Memory Node
     * @throws NodeLostException if a Memory Node is lost meanwhile, under {@code --on-node-loss abort}
     */
    void finish(int threads, LongBinaryOperator fetchAndAdd) {
        change(threads, fetchAndAdd);
    }

    /** Takes back that a thread has finished, in the same way, since it is opened again. */
    void resume(LongBinaryOperator fetchAndAdd) {
        change(-1, fetchAndAdd);
    }

    private void change(int threads, LongBinaryOperator fetchAndAdd) {
        finished.addAndGet(threads);
        for (Link link : links) {
            if (!membership.isLost(link.memoryNode())) {
                change(threads, link.memoryNode(), fetchAndAdd);
            }
        }
    }

    private void change(int threads, int memoryNode, LongBinaryOperator fetchAndAdd) {
        try {
            long word = SegmentLayout.header(memoryNode, 0, SegmentHeader.CONTROL);
            long unused = fetchAndAdd.applyAsLong(word, threads); // only the new value counts
        } catch (NodeLostException e) {
            membership.report(e); // this thread may be the first to notice
            membership.check(); // under "continue", a Memory Node that is gone need not be informed
        }
    }
}
