// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

import java.util.List;

/** A check of one property of a machine, which changes nothing. */
interface Check {
    /** The name of the property, a word or two. */
    String subject();

    /** Whether a problem found by this check keeps a fabric from running. */
    boolean isNeededBy(String fabric);

    /** Examines the machine; returns at least one diagnosis. */
    List<Diagnosis> examine(ExaminedMachine machine, RequestedCluster requested);
}
