// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

import java.io.IOException;
import java.util.List;

/** Runs all checks and reports their findings. */
final class Doctor {
    private final List<Check> checks;
    private final ExaminedMachine machine;

    Doctor(List<Check> checks, ExaminedMachine machine) {
        this.checks = List.copyOf(checks);
        this.machine = machine;
    }

    /** Runs the checks; returns whether the requested fabric can run. */
    boolean examine(RequestedCluster requested, DoctorReport report) throws IOException {
        int problems = 0;
        for (Check check : checks) {
            boolean needed = check.isNeededBy(requested.fabric());
            for (Diagnosis finding : check.examine(machine, requested)) {
                boolean problem = needed && finding.grade() == Diagnosis.Grade.PROBLEM;
                problems += problem ? 1 : 0;
                report.add(check.subject(), finding, problem);
            }
        }
        report.conclude(requested.fabric(), problems);
        return problems == 0;
    }
}
