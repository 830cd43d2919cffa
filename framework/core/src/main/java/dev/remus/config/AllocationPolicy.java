package dev.remus.config;

/**
 * Where a Compute Thread asks first for the memory of a new object.
 *
 * <p>{@code RR} policies move on to the next segment with every allocation, {@code MOD} policies start from the
 * segment that belongs to the thread's id. All of them try the remaining segments that they may use before they report
 * that there is no memory left.
 */
public enum AllocationPolicy {
    /** A segment drawn at random from all segments of all Memory Nodes. */
    RAND("RAND", false),
    /** The next segment in turn, walking over all segments of all Memory Nodes. */
    GLOBAL_RR("GLOBAL-RR", false),
    /** The segment picked by the thread's id, among all segments of all Memory Nodes. */
    GLOBAL_MOD("GLOBAL-MOD", false),
    /** The next segment in turn of the thread's own node. */
    LOCAL_RR("LOCAL-RR", true),
    /** The segment of the thread's own node picked by the thread's id. */
    LOCAL_MOD("LOCAL-MOD", true);

    private final String optionName;
    private final boolean local;

    AllocationPolicy(String optionName, boolean local) {
        this.optionName = optionName;
        this.local = local;
    }

    /**
     * The name under which {@code --alloc-pol} accepts this policy.
     *
     * @return for example {@code GLOBAL-RR}
     */
    public String optionName() {
        return optionName;
    }

    /**
     * Whether the policy stays on the thread's own node, which then has to be a Memory Node as well.
     *
     * @return true for the {@code LOCAL-*} policies
     */
    public boolean isLocal() {
        return local;
    }

    /** The same as {@link #optionName()}. */
    @Override
    public String toString() {
        return optionName;
    }
}
