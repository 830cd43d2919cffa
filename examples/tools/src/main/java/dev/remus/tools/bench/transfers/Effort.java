package dev.remus.tools.bench.transfers;

/**
 * How long each figure is measured for.
 *
 * @param nanos by the clock of the fabric
 * @param mostTransfers and mostBytes end it earlier: in the simulator, more of them take long and tell nothing new
 */
record Effort(long nanos, long mostTransfers, long mostBytes) {
    private static final long TENTH = 10;

    /** Each slot is used a few times. */
    private static final long FEWEST_ROUNDS = 4;

    /** As long as it takes. */
    static Effort ofNanos(long nanos) {
        return new Effort(nanos, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /** A tenth of it. */
    Effort ofTenth() {
        return new Effort(nanos / TENTH, mostTransfers / TENTH, mostBytes / TENTH);
    }

    /** How many transfers of a size are measured at most. */
    long transfers(int bytes, int outstanding) {
        return Math.max(FEWEST_ROUNDS * outstanding, Math.min(mostTransfers, mostBytes / bytes));
    }
}
