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
 * @param roundTrips the round trips for it
 * @param stalls how often a node has reported a thread that held the epoch up for long
 */
public record ReclamationLine(long epochs, long retirements, long retiredMost, long roundTrips, long stalls) {
    /** A block is reclaimed in the third epoch after it was retired at the latest, if all threads announce epochs. */
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
        double bound = (double) EPOCHS_OF_A_BLOCK * retirements / Math.max(1, epochs);
        String line = String.format(
                Locale.ROOT,
                "%,.0f epochs, %,d blocks retired, at most %,.0f of a thread at a time (%,.0f in 3 epochs), %.3f round"
                        + " trips per operation",
                moved,
                retirements,
                most,
                bound,
                (double) roundTrips / Math.max(1, operations));
        return Optional.of(
                stalls == 0
                        ? line
                        : line + "; the log of the nodes names a thread that stood still, " + stalls + " times");
    }
}
