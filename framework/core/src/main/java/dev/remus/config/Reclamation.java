// SPDX-License-Identifier: Apache-2.0
package dev.remus.config;

/** How the blocks that Compute Threads have retired become free again. All nodes of a cluster need the same choice. */
public enum Reclamation {
    /**
     * The simple way: when a thread declares, for instance after a barrier, that no thread holds a pointer to what it
     * has retired.
     */
    BARRIER("barrier"),
    /** The default: by themselves, once every thread has passed a quiescent state. */
    EPOCHS("epochs");

    private final String optionName;

    Reclamation(String optionName) {
        this.optionName = optionName;
    }

    /**
     * The name under which {@code --reclaim} accepts this choice.
     *
     * @return for example {@code epochs}
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
