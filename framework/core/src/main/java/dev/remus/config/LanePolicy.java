package dev.remus.config;

/** Which of a Compute Node's lanes to a Memory Node carries a Compute Thread's next operation. */
public enum LanePolicy {
    /** A lane drawn at random for each operation. */
    RAND("RAND"),
    /** The next lane in turn for each operation. */
    RR("RR"),
    /** The lane picked by the thread's id; several threads may share one. */
    MOD("MOD"),
    /** Each thread has a lane of its own, so there have to be at least as many lanes as threads per node. */
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
