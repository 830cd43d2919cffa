package dev.remus.tools.doctor;

/**
 * What a check has found.
 *
 * @param grade how good it is
 * @param text what is the case
 * @param remedy the command that mends it, or what else to do; empty if there is nothing to mend
 */
record Diagnosis(Grade grade, String text, String remedy) {
    /** How good it is. */
    enum Grade {
        /** As it should be. */
        OK,
        /** Runs, and could be better. */
        NOTE,
        /** The fabric that the check is for cannot run. */
        PROBLEM
    }

    static Diagnosis ok(String text) {
        return new Diagnosis(Grade.OK, text, "");
    }

    static Diagnosis note(String text, String remedy) {
        return new Diagnosis(Grade.NOTE, text, remedy);
    }

    static Diagnosis problem(String text, String remedy) {
        return new Diagnosis(Grade.PROBLEM, text, remedy);
    }
}
