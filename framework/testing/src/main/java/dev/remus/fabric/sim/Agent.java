// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

/** A unit of scheduling: a simulated thread, or a lane with requests to execute. */
public abstract class Agent {
    /** Its position in the list of ready agents; -1 if it is not ready. */
    int position = -1;

    /** The number of its latest alarm, which makes earlier ones invalid. */
    long alarm;

    private final int number;

    /** @param number in order of creation, from 0 */
    Agent(int number) {
        this.number = number;
    }

    /** Its number, in order of creation, from 0. */
    public final int number() {
        return number;
    }

    /** Whether it waits for its alarm. */
    abstract boolean isAsleep();

    /** Called when its alarm has gone off, before it becomes ready. */
    void wakesUp() {}

    /** Called when it is to become ready; returns false if it cannot. */
    boolean becomesReady() {
        return true;
    }

    /** Called when it ceases to be ready. */
    void becomesUnready() {}

    /**
     * Whether it belongs to the code under test: a thread that is {@linkplain Simulator#expose exposed}, or a lane that
     * works for one.
     */
    public abstract boolean isExposed();

    /** Whether its next step is part of that thread's work: it is the thread, or a lane that the thread waits for. */
    public abstract boolean isPartOf(Agent thread);

    /** Whether some access that its next step may do passes a test; false for a thread, whose lanes do its accesses. */
    public boolean mayDoNext(AccessPredicate test) {
        return false;
    }

    /** For an {@link Enumeration}: whether nothing that it has to do can go on before another agent does something. */
    boolean isBlocked() {
        return false;
    }

    /** For an {@link Enumeration}: whether it has nothing to do that can go on before other requests are executed. */
    boolean isPostponed() {
        return false;
    }

    /** Its name in a trace. */
    public abstract String name();
}
