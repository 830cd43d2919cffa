// SPDX-License-Identifier: Apache-2.0
package dev.remus.config;

/** How a Compute Thread picks the lane to a Memory Node for its next operation. */
public enum LanePolicy {
    /** A lane drawn at random for each operation. */
    RAND("RAND"),
    /** The next lane in turn for each operation. */
    RR("RR"),
    /** The lane that the thread's id selects; several threads may share one. */
    MOD("MOD"),
    /** A lane of its own for each thread: this needs at least as many lanes as threads per node. */
    ONE_TO_ONE("ONE_TO_ONE");

    private final String optionName;

    LanePolicy(String optionName) {
        this.optionName = optionName;
    }

    /**
     * The name under which {@code --qp-sched-pol} accepts this policy.
     *
     * @return for example {@code ONE_TO_ONE}
     */
    public String optionName() {
        return optionName;
    }

    /**
     * How many lanes are useful to the threads of a node of this machine: one for each thread, whose lock is then free
     * and stays in the cache of its processor. More than two for each processor would only make a card keep more queue
     * pairs at hand; two, since a card may have as few as 16 READs and atomics of a queue pair outstanding.
     */
    int usefulLanes(int threads) {
        int useful = this == ONE_TO_ONE ? threads : 2 * Runtime.getRuntime().availableProcessors();
        return Math.min(ClusterSettings.MAX_LANES, Math.min(threads, useful));
    }

    /** The same as {@link #optionName()}. */
    @Override
    public String toString() {
        return optionName;
    }
}
