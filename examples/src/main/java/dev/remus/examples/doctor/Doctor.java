package dev.remus.examples.doctor;

import java.io.PrintStream;
import java.util.List;

/** Makes all checks and says what they found. */
final class Doctor {
    private final List<Check> checks;
    private final Machine machine;

    Doctor(List<Check> checks, Machine machine) {
        this.checks = List.copyOf(checks);
        this.machine = machine;
    }

    /** Whether the fabric that is wished for can run. */
    boolean examine(Wish wish, PrintStream out) {
        int problems = 0;
        for (Check check : checks) {
            boolean needed = check.isNeededBy(wish.fabric());
            String subject = check.subject();
            for (Finding finding : check.look(machine, wish)) {
                boolean problem = needed && finding.grade() == Finding.Grade.PROBLEM;
                problems += problem ? 1 : 0;
                out.printf("%-15s %-8s %s%n", subject, word(finding, problem), finding.text());
                if (!finding.remedy().isEmpty()) {
                    out.printf("%-15s %-8s mend it: %s%n", "", "", finding.remedy());
                }
                subject = "";
            }
        }
        String name = "--fabric " + wish.fabric();
        out.println(
                problems == 0
                        ? name + " can run on this machine."
                        : name + " cannot run on this machine: " + problems
                                + (problems == 1 ? " problem." : " problems."));
        return problems == 0;
    }

    private static String word(Finding finding, boolean problem) {
        if (problem) {
            return "PROBLEM";
        }
        return finding.grade() == Finding.Grade.OK ? "ok" : "note";
    }
}
