// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

import java.util.List;

/**
 * The cluster that the user intends to run.
 *
 * @param fabric the name of the fabric
 * @param hosts the machines of the cluster; may be empty
 * @param port the port of the first Memory Node of a host
 * @param segmentSizeLog2 the size of each segment
 * @param segments the number of segments of each Memory Node
 */
record RequestedCluster(String fabric, List<String> hosts, int port, int segmentSizeLog2, int segments) {
    static final String SHM = "shm";
    static final String VERBS = "verbs";

    /** The bytes of the segments of one Memory Node. */
    long memoryNodeBytes() {
        return segments * (1L << segmentSizeLog2);
    }
}
