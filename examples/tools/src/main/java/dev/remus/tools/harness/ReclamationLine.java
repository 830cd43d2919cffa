// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import java.util.Locale;
import java.util.Optional;

/**
 * How a run has reclaimed memory by epochs, in a line of text.
 *
 * @param epochs how often threads have announced an epoch
 * @param retirements the retired blocks
 * @param retiredMost the most blocks that each thread held retired at one time, added up
 * @param retiredInEpochMost the most blocks that each thread retired in one epoch, added up
 * @param roundTrips the round trips for it
 * @param stalls how often a node has reported a thread that held the epoch up for long
 */
public record ReclamationLine(
        long epochs, long retirements, long retiredMost, long retiredInEpochMost, long roundTrips, long stalls) {
    /** A thread reclaims a block at the latest when it sees the third epoch after the one in which it retired it. */
    private static final int EPOCHS_OF_A_BLOCK = 3;

    /**
     * The line; empty if memory is not reclaimed by epochs.
     *
     * @param operations the operations of the run
     */
    public Optional<String> text(ClusterConfig cluster, long operations) {
        if (cluster.reclaim() != Reclamation.EPOCHS) {
            return Optional.empty();
        }
        double moved = (double) epochs / cluster.totalThreads();
        double most = (double) retiredMost / cluster.totalThreads();
        double inEpoch = (double) retiredInEpochMost / cluster.totalThreads();
        String line = String.format(
                Locale.ROOT,
                "%,.0f epochs, %,d blocks retired, at most %,.0f of a thread at a time (%s %d times %,.0f, the most in"
                        + " an epoch), %.3f round trips per operation",
                moved,
                retirements,
                most,
                retiredMost <= EPOCHS_OF_A_BLOCK * retiredInEpochMost ? "within" : "over",
                EPOCHS_OF_A_BLOCK,
                inEpoch,
                (double) roundTrips / Math.max(1, operations));
        return Optional.of(
                stalls == 0
                        ? line
                        : line + "; the log of the nodes names a thread that stood still, " + stalls + " times");
    }
}
