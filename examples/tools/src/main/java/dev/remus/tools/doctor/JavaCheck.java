// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

import java.util.ArrayList;
import java.util.List;

/** Checks the release of Java, and the flags that large segments need. */
final class JavaCheck implements Check {
    private static final int LARGEST_WITHOUT_FLAGS_LOG2 = 30;

    @Override
    public String subject() {
        return "Java";
    }

    @Override
    public boolean isNeededBy(String fabric) {
        return true;
    }

    @Override
    public List<Diagnosis> examine(ExaminedMachine machine, RequestedCluster requested) {
        Runtime.Version version = Runtime.version();
        List<Diagnosis> findings = new ArrayList<>();
        findings.add(Diagnosis.ok(version + ", " + System.getProperty("java.vm.name") + ", "
                + System.getProperty("os.arch") + " (17 or later is needed)"));
        if (requested.fabric().equals(RequestedCluster.SHM)
                && requested.segmentSizeLog2() > LARGEST_WITHOUT_FLAGS_LOG2) {
            findings.add(
                    isOpen()
                            ? Diagnosis.ok("flags for segments of more than 1 GiB: set")
                            : Diagnosis.problem(
                                    "segments of more than 1 GiB need flags of the Java VM",
                                    "REMUS_JAVA_OPTS='--add-opens=java.base/java.lang.reflect=ALL-UNNAMED"
                                            + " --add-exports=java.base/sun.nio.ch=ALL-UNNAMED"
                                            + " --add-exports=java.base/jdk.internal.ref=ALL-UNNAMED'"));
        }
        return findings;
    }

    private static boolean isOpen() {
        Module base = Object.class.getModule();
        Module own = JavaCheck.class.getModule();
        return base.isOpen("java.lang.reflect", own)
                && base.isExported("sun.nio.ch", own)
                && base.isExported("jdk.internal.ref", own);
    }
}
