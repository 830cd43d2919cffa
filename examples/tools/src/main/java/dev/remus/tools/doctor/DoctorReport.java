package dev.remus.tools.doctor;

import java.io.IOException;

/** Is told what the {@link Doctor} finds, while it looks. */
interface DoctorReport {
    /**
     * A finding.
     *
     * @param subject what was looked at
     * @param problem whether the fabric cannot run because of it
     */
    void hear(String subject, Diagnosis finding, boolean problem) throws IOException;

    /** The end: how many problems there are for a fabric. */
    void conclude(String fabric, int problems) throws IOException;
}
