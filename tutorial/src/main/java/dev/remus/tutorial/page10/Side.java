// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page10;

/** The two ends of a double-ended queue. */
public enum Side {
    /** Where indices fall. */
    LEFT(-1),
    /** Where indices grow. */
    RIGHT(1);

    /** From an item of the queue to the next one in this direction. */
    final int step;

    Side(int step) {
        this.step = step;
    }

    Side opposite() {
        return this == LEFT ? RIGHT : LEFT;
    }
}
