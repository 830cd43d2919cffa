package dev.remus.tools.doctor;

import java.util.List;

/** Looks at one thing of a machine, and changes nothing. */
interface Check {
    /** What it looks at, in a word or two. */
    String subject();

    /** Whether a fabric cannot run while this check finds a problem. */
    boolean isNeededBy(String fabric);

    /** What is the case; at least one finding. */
    List<Diagnosis> look(ExaminedMachine machine, RequestedCluster wish);
}
