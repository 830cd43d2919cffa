package dev.remus.tools.doctor;

import java.io.IOException;
import java.util.List;

/** Makes all checks and says what they found. */
final class Doctor {
    private final List<Check> checks;
    private final ExaminedMachine machine;

    Doctor(List<Check> checks, ExaminedMachine machine) {
        this.checks = List.copyOf(checks);
        this.machine = machine;
    }

    /** Whether the fabric that is wished for can run. */
    boolean examine(RequestedCluster wish, DoctorReport audience) throws IOException {
        int problems = 0;
        for (Check check : checks) {
            boolean needed = check.isNeededBy(wish.fabric());
            for (Diagnosis finding : check.look(machine, wish)) {
                boolean problem = needed && finding.grade() == Diagnosis.Grade.PROBLEM;
                problems += problem ? 1 : 0;
                audience.hear(check.subject(), finding, problem);
            }
        }
        audience.conclude(wish.fabric(), problems);
        return problems == 0;
    }
}
