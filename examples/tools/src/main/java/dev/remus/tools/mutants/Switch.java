package dev.remus.tools.mutants;

import dev.remus.fabric.sim.StuckException;
import java.util.BitSet;

/**
 * Says at each place in the mutated classes which mutant runs there. All mutants are in the same code, and one at a time is
 * chosen: so the Java VM compiles that code once, and not once for each mutant.
 *
 * <p>Public because the mutated classes call it.
 */
public final class Switch {
    /** A mutant may have a loop without an end in which nothing remote happens: no simulator could end it. */
    private static final int MOST_CALLS = 30_000_000;

    private static final int NOBODY = 0;

    private static volatile boolean recording;
    private static volatile BitSet reached = new BitSet();

    private static int chosen = NOBODY;
    private static int calls;

    private Switch() {}

    /** Chooses a mutant; to be called when nothing runs. */
    static void choose(Mutant mutant) {
        chosen = mutant.number();
        calls = 0;
    }

    /** Chooses none. */
    static void chooseNone() {
        chosen = NOBODY;
        calls = 0;
    }

    /** A schedule begins. If several run at a time, what is counted is what all of them do. */
    static void begin() {
        calls = 0;
    }

    /** From now on notes which mutants could have made a difference. */
    static void record() {
        reached = new BitSet();
        recording = true;
    }

    /** The numbers of mutants at places that were reached since {@link #record}. */
    static BitSet recorded() {
        recording = false;
        return reached;
    }

    /**
     * Which of the mutants from a number on is chosen.
     *
     * @return 1 for the first of them; 0 if it is none of them
     */
    public static int select(int first, int count) {
        if (recording) {
            note(first, count);
        }
        int index = chosen - first;
        if (index < 0 || index >= count) {
            return 0;
        }
        if (++calls > MOST_CALLS) {
            throw new StuckException("a loop without an end");
        }
        return index + 1;
    }

    /** The outcome of a comparison, or what a mutant makes of it: the first lets the branch be taken, the second not. */
    public static int decide(int outcome, int first, int taken, int notTaken) {
        return switch (select(first, 2)) {
            case 1 -> taken;
            case 2 -> notTaken;
            default -> outcome;
        };
    }

    private static void note(int first, int count) {
        BitSet noted = reached;
        synchronized (noted) {
            noted.set(first, first + count);
        }
    }
}
