// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

import java.io.PrintStream;

/** A report as a table of text. */
final class TextDoctorReport implements DoctorReport {
    private final PrintStream out;
    private String last = "";

    TextDoctorReport(PrintStream out) {
        this.out = out;
    }

    @Override
    public void add(String subject, Diagnosis finding, boolean problem) {
        out.printf("%-15s %-8s %s%n", subject.equals(last) ? "" : subject, word(finding, problem), finding.text());
        last = subject;
        if (!finding.remedy().isEmpty()) {
            out.printf("%-15s %-8s fix: %s%n", "", "", finding.remedy());
        }
    }

    @Override
    public void conclude(String fabric, int problems) {
        String name = "--fabric " + fabric;
        out.println(
                problems == 0
                        ? name + " can run on this machine."
                        : name + " cannot run on this machine: " + problems
                                + (problems == 1 ? " problem." : " problems."));
        out.flush();
    }

    private static String word(Diagnosis finding, boolean problem) {
        if (problem) {
            return "PROBLEM";
        }
        return finding.grade() == Diagnosis.Grade.OK ? "ok" : "note";
    }
}
