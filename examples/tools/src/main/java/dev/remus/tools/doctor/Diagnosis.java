// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

/**
 * The finding of a check.
 *
 * @param grade the severity
 * @param text the finding
 * @param remedy the command or other action that fixes it; empty if nothing needs fixing
 */
record Diagnosis(Grade grade, String text, String remedy) {
    /** The severity of a finding. */
    enum Grade {
        /** No problem. */
        OK,
        /** The fabric runs, but could run better. */
        NOTE,
        /** The fabric that needs the check cannot run. */
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
