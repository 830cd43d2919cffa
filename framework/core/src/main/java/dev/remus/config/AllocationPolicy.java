// SPDX-License-Identifier: Apache-2.0
package dev.remus.config;

/**
 * The segment in which a Compute Thread first tries to allocate new memory.
 *
 * <p>A thread takes small objects in runs: adjacent blocks of one segment, at first one, later up to 4 KiB, for which a
 * policy selects the segment once. {@code RR} policies move on to the next segment with every run and every larger
 * object; {@code MOD} policies start from the segment that belongs to the thread's id. Every policy tries all segments
 * that it may use before it reports that there is no memory left.
 */
public enum AllocationPolicy {
    /** A segment drawn at random from all segments of all Memory Nodes. */
    RAND("RAND", false),
    /** The next segment in turn, of all segments of all Memory Nodes. */
    GLOBAL_RR("GLOBAL-RR", false),
    /** The segment that the thread's id selects, among all segments of all Memory Nodes. */
    GLOBAL_MOD("GLOBAL-MOD", false),
    /** The next segment in turn of the thread's own node. */
    LOCAL_RR("LOCAL-RR", true),
    /** The segment of the thread's own node that the thread's id selects. */
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
     * Whether the policy stays on the thread's own node, which must be a Memory Node too.
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
