// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

/** A point of a run where an {@link ExhaustiveSearch} has alternatives, and those that it has tried. */
abstract class Decision {
    /** Whether an alternative is left. */
    abstract boolean hasNext();

    /** Takes the next alternative. */
    abstract void next();

    /** One of a number of alternatives, each of which is tried. */
    static final class OneOf extends Decision {
        private final int among;
        private int taken;

        OneOf(int among) {
            this.among = among;
        }

        int among() {
            return among;
        }

        int taken() {
            return taken;
        }

        @Override
        boolean hasNext() {
            return taken + 1 < among;
        }

        @Override
        void next() {
            taken++;
        }
    }
}
