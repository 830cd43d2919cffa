// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.mutants;

import dev.remus.fabric.sim.StuckException;
import java.util.BitSet;

/**
 * Selects the mutant that runs at each site of the mutated classes. All mutants are in the same code and one at a time
 * is chosen, so the JVM compiles the code once and not once for each mutant.
 *
 * <p>The class is public because the mutated classes call it.
 */
public final class Switch {
    /** The limit that ends an infinite loop without remote operations, which the simulator cannot end. */
    private static final int MAX_CALLS = 30_000_000;

    private static final int NONE = 0;

    private static volatile boolean recording;
    private static volatile BitSet reached = new BitSet();

    private static int chosen = NONE;
    private static int calls;

    private Switch() {}

    /** Chooses a mutant; no schedule may be running. */
    static void choose(Mutant mutant) {
        chosen = mutant.number();
        calls = 0;
    }

    /** Chooses no mutant; no schedule may be running. */
    static void chooseNone() {
        chosen = NONE;
        calls = 0;
    }

    /** Starts a schedule and resets the count of calls. Parallel schedules share the count. */
    static void begin() {
        calls = 0;
    }

    /** Starts to record the mutants at reached sites. */
    static void record() {
        reached = new BitSet();
        recording = true;
    }

    /** Ends recording, and returns the numbers of mutants at the sites reached since {@link #record}. */
    static BitSet recorded() {
        recording = false;
        return reached;
    }

    /**
     * Determines the chosen mutant of a site.
     *
     * @return its index from 1, or 0 if the chosen mutant is at another site
     */
    public static int select(int first, int count) {
        if (recording) {
            note(first, count);
        }
        if (chosen == NONE) {
            return 0;
        }
        if (++calls > MAX_CALLS) { // at any site: the loop may be elsewhere
            throw new StuckException("an infinite loop");
        }
        int index = chosen - first;
        return index < 0 || index >= count ? 0 : index + 1;
    }

    /**
     * The operand of a branch: the original, or that of a mutant. The first mutant takes the branch, the second does
     * not.
     */
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
