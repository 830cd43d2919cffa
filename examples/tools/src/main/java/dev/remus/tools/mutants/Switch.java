// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.mutants;

import dev.remus.fabric.sim.StuckException;
import java.util.Arrays;
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
    private static volatile Reached reached = new Reached();

    private static int chosen = NONE;
    private static int calls;

    /** What a schedule without a mutant has reached. */
    static final class Reached {
        private final BitSet sites = new BitSet();
        private int[] differing = new int[1 << 12];

        private synchronized void add(int first, int count) {
            sites.set(first, first + count);
            for (int mutant = first; mutant < first + count; mutant++) {
                differs(mutant);
            }
        }

        private synchronized void addBranch(int first, boolean jumps) {
            sites.set(first, first + 2);
            differs(jumps ? first + 1 : first);
        }

        private void differs(int mutant) {
            if (mutant >= differing.length) {
                differing = Arrays.copyOf(differing, 2 * mutant);
            }
            differing[mutant]++;
        }

        /** The numbers of the mutants whose sites were reached. */
        synchronized BitSet sites() {
            return (BitSet) sites.clone();
        }

        /**
         * How often each mutant would have done something else there, by its number, as a branch that always jumps does
         * where it should not. A mutant with 0 changes nothing in this schedule. This is weak mutation testing (Howden,
         * IEEE Transactions on Software Engineering 8(4), 1982).
         */
        synchronized int[] differing() {
            return differing.clone();
        }
    }

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
        reached = new Reached();
        recording = true;
    }

    /** Ends recording, and returns what was reached since {@link #record}. */
    static Reached recorded() {
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
            reached.add(first, count);
        }
        return chosen(first, count);
    }

    private static int chosen(int first, int count) {
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
     *
     * @param opcode that of the branch, which compares its operand with 0
     */
    public static int decide(int outcome, int first, int opcode) {
        if (recording) {
            reached.addBranch(first, BranchOpcode.isTaken(opcode, outcome));
        }
        return switch (chosen(first, 2)) {
            case 1 -> BranchOpcode.operand(opcode, true);
            case 2 -> BranchOpcode.operand(opcode, false);
            default -> outcome;
        };
    }
}
