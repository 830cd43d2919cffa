// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

import java.io.IOException;

/** A report that gets the findings of a {@link Doctor} one by one. */
interface DoctorReport {
    /**
     * Adds a finding.
     *
     * @param subject the property that was checked
     * @param problem whether it keeps the fabric from running
     */
    void add(String subject, Diagnosis finding, boolean problem) throws IOException;

    /** Ends the report with the number of problems of a fabric. */
    void conclude(String fabric, int problems) throws IOException;
}
