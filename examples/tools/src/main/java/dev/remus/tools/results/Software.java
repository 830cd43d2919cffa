// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.results;

import java.util.LinkedHashMap;
import java.util.Map;

/** The versions of the software that measures: this build, the commit that it was made from, and Java. */
final class Software {
    /**
     * The system property that holds the commit: {@code ./remus} sets it, and {@code cloudlab/cl} does on the machines.
     */
    static final String COMMIT = "remus.commit";

    /** The end of a commit if the sources had changes that are not in it. */
    static final String MODIFIED = "-modified";

    static final String UNKNOWN = "unknown";

    private Software() {}

    /** The versions by name. */
    static Map<String, String> versions() {
        Map<String, String> versions = new LinkedHashMap<>();
        String version = Software.class.getPackage().getImplementationVersion();
        String commit = System.getProperty(COMMIT, "");
        versions.put("version", version == null ? "not packaged" : version);
        versions.put("commit", commit.matches("[0-9a-f]{7,64}(" + MODIFIED + ")?") ? commit : UNKNOWN);
        versions.put("java", Runtime.version().toString());
        versions.put("java_vm", System.getProperty("java.vm.name"));
        return versions;
    }
}
