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

    /** The same as {@link #optionName()}. */
    @Override
    public String toString() {
        return optionName;
    }
}
