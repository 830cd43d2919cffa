// SPDX-License-Identifier: Apache-2.0
package dev.remus.config;

/** The threads that run the Compute Threads of a node. */
public enum ThreadKind {
    /** A thread of the operating system for each: a wait for an operation occupies a processor, or costs a switch. */
    PLATFORM("platform"),
    /** Virtual threads, from Java 21 on: while one waits for an operation, others use the same processor. */
    VIRTUAL("virtual");

    private final String optionName;

    ThreadKind(String optionName) {
        this.optionName = optionName;
    }

    /**
     * The name under which {@code --cn-thread-kind} accepts this kind.
     *
     * @return for example {@code virtual}
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
