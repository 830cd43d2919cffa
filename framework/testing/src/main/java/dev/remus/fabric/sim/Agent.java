package dev.remus.fabric.sim;

/** Something that can go on: a simulated thread, or a lane with requests to execute. */
public abstract class Agent {
    /** Where it stands in the list of those that can go on, -1 if it cannot. */
    int position = -1;

    /** Tells the alarm that was set last from earlier ones. */
    long alarm;

    private final int number;

    /** @param number in order of creation, from 0 */
    Agent(int number) {
        this.number = number;
    }

    /** In order of creation, from 0. */
    public final int number() {
        return number;
    }

    /** Whether it waits for its alarm. */
    abstract boolean isAsleep();

    /** Its alarm has gone off; it is about to become ready. */
    void wakesUp() {}

    /** It is to go on; false if it cannot. */
    boolean becomesReady() {
        return true;
    }

    /** It is not to go on. */
    void becomesUnready() {}

    /**
     * Whether it belongs to what is tested: a thread that is {@linkplain Simulator#expose exposed}, or a lane that
     * works for one.
     */
    public abstract boolean isExposed();

    /**
     * Whether its next step is one of what that thread is doing: it is the thread, or a lane that the thread waits for.
     */
    public abstract boolean isPartOf(Agent thread);

    /** How it is called in a trace. */
    public abstract String name();
}
