// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.mutants;

import dev.remus.check.RejectedHistoryError;
import dev.remus.fabric.sim.StuckException;
import dev.remus.memory.InvalidFreeException;
import dev.remus.memory.InvalidPointerException;
import dev.remus.memory.OutOfRemoteMemoryException;

/** The check that detected a mistake, derived from the exception. */
enum Detector {
    /** The threads' results fit no allowed order. */
    HISTORY("history"),
    /** A scenario's own records, such as critical sections, owners of blocks, and promises. */
    ASSERTION("scenario's assertion"),
    /** An internal check of a structure or of the allocator. */
    OWN_CHECK("check in the code"),
    /** The check {@code --check-memory}, or of a thread's own free lists. */
    MEMORY("check of frees"),
    /** The check of a pointer before its use. */
    POINTER("check of pointers"),
    /** A run that is stuck or does not end. */
    PROGRESS("no end"),
    /** Exhausted memory. */
    LEAK("memory used up"),
    /** Another exception that a correct structure does not throw. */
    OTHER("exception");

    private final String text;

    Detector(String text) {
        this.text = text;
    }

    static Detector of(Throwable cause) {
        if (cause instanceof RejectedHistoryError) {
            return HISTORY;
        } else if (cause instanceof AssertionError) {
            return ASSERTION;
        } else if (cause instanceof InvalidFreeException) {
            return MEMORY;
        } else if (cause instanceof InvalidPointerException) {
            return POINTER;
        } else if (cause instanceof StuckException) {
            return PROGRESS;
        } else if (cause instanceof OutOfRemoteMemoryException) {
            return LEAK;
        } else if (cause instanceof IllegalStateException) {
            return OWN_CHECK;
        }
        return OTHER;
    }

    @Override
    public String toString() {
        return text;
    }
}
