// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import dev.remus.record.RemoteLongArray;
import org.jspecify.annotations.Nullable;

/** The consumer's view of the {@linkplain OpenClaim claims} of all threads, as it has last READ them. */
final class OpenClaims {
    private static final int NOBODY = -1;
    private static final int BLOCK = 0;
    private static final int CLAIMS = Long.BYTES;

    private final Ring ring;
    private final RemoteLongArray claims;
    private final LocalBuffer words;

    /** A thread that may fill the position that was asked for last. */
    private int awaited = NOBODY;

    private OpenClaims(Ring ring, RemoteLongArray claims, ComputeThread ct) {
        this.ring = ring;
        this.claims = claims;
        this.words = ct.allocateLocal(CLAIMS + (long) claims.length() * Long.BYTES);
    }

    /** Those of a ring; null under {@code --on-node-loss abort}. */
    static @Nullable OpenClaims of(Ring ring, ComputeThread ct) {
        RemoteLongArray claims = ring.claims();
        return claims == null ? null : new OpenClaims(ring, claims, ct);
    }

    /**
     * READs all claims, at the end of a sequence that first READs how far the queue has come, and executes it: READs
     * overtake nothing. In between it READs the position of the block of the next item, if blocks have positions.
     */
    void read(long next, Sequence sequence) {
        if (ring.hasPositions()) {
            sequence.read(ring.positions().pointer(ring.block(next)), words, BLOCK, Long.BYTES);
        }
        sequence.read(claims.pointer(0), words, CLAIMS, claims.length() * Long.BYTES)
                .execute();
    }

    /** Whether the block of the next item was still to be taken, before the claims were READ. */
    boolean isBlockOpen(long next) {
        return ring.hasPositions() && words.getLong(BLOCK) == next;
    }

    /**
     * Whether no thread will fill the next position any more, which was claimed before the claims were READ. A thread
     * that is lost does not count once it is cut off: nothing that it has posted arrives from then on.
     */
    boolean areOver(long next, ComputeThread ct) {
        awaited = NOBODY;
        for (int thread = 0; thread < claims.length(); thread++) {
            if (OpenClaim.mayFill(words.getLong(CLAIMS + (long) thread * Long.BYTES), next)
                    && !ct.peers().isLost(thread)) {
                awaited = awaited == NOBODY || ct.peers().isLostAndNotCutOff(thread) ? thread : awaited;
            }
        }
        return awaited == NOBODY;
    }

    /**
     * Pauses in a wait for the position that was asked for last.
     *
     * @throws dev.remus.fabric.NodeLostException if that is in vain, since a lost thread cannot be cut off
     */
    void pause(ComputeThread ct) {
        if (awaited != NOBODY && ct.peers().isLostAndNotCutOff(awaited)) {
            ct.pauseFor(awaited);
        } else {
            ct.pause();
        }
    }
}
