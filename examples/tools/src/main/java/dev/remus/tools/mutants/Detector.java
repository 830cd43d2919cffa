package dev.remus.tools.mutants;

import dev.remus.check.RejectedHistoryError;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.sim.StuckException;
import dev.remus.memory.InvalidFreeException;
import dev.remus.memory.InvalidPointerException;
import dev.remus.memory.OutOfRemoteMemoryException;

/** Which of the checks has found a mistake, told by what was thrown. */
enum Detector {
    /** The answers that threads were given fit no order that is allowed. */
    HISTORY("history"),
    /** What a scenario notes of its own: who is inside, who has which block, which promises are kept. */
    BOOKS("books of the scenario"),
    /** A structure's, or the allocator's, own check of what it finds. */
    OWN_CHECK("check in the code"),
    /** {@code --check-memory}, or a thread's own lists. */
    MEMORY("check of frees"),
    /** Pointers are checked before they are used. */
    POINTER("check of pointers"),
    /** Nothing goes on, or there is no end. */
    PROGRESS("no end"),
    /** There is nothing left to allocate. */
    LEAK("memory used up"),
    /** Something else that a correct structure does not do. */
    OTHER("exception");

    private final String text;

    Detector(String text) {
        this.text = text;
    }

    static Detector of(Throwable cause) {
        if (cause instanceof RejectedHistoryError) {
            return HISTORY;
        } else if (cause instanceof AssertionError) {
            return BOOKS;
        } else if (cause instanceof InvalidFreeException) {
            return MEMORY;
        } else if (cause instanceof InvalidPointerException) {
            return POINTER;
        } else if (cause instanceof StuckException) {
            return PROGRESS;
        } else if (cause instanceof OutOfRemoteMemoryException) {
            return LEAK;
        } else if (cause instanceof IllegalStateException && !(cause instanceof FabricException)) {
            return OWN_CHECK;
        }
        return OTHER;
    }

    @Override
    public String toString() {
        return text;
    }
}
