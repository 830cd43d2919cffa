package dev.remus.fabric.sim;

/** Something that can go on: a simulated thread, or a lane with requests to execute. */
public abstract class Agent {
    /** Where it stands in the list of those that can go on, -1 if it cannot. */
    int position = -1;

    private final int number;

    /** @param number in order of creation, from 0 */
    Agent(int number) {
        this.number = number;
    }

    /** In order of creation, from 0. */
    public final int number() {
        return number;
    }

    /** How it is called in a trace. */
    public abstract String name();
}
