// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.mutants;

/** A part of the code under test, for which the search reports its totals. */
enum Area {
    /** Package {@code dev.remus.lock}. */
    LOCKS("locks"),
    /** Memory, barriers, and what threads share. */
    NODES("nodes"),
    /** What lies between the structures and the fabric, and keeps state on the Java heap. */
    LAYERS("layers"),
    /** Package {@code dev.remus.structures}. */
    STRUCTURES("structures"),
    /** Structures with which others are compared. */
    BASELINES("baselines");

    private final String text;

    Area(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
