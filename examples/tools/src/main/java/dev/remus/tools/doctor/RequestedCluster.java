package dev.remus.tools.doctor;

import java.util.List;

/**
 * What the user wants to run.
 *
 * @param fabric its name
 * @param hosts the machines of the cluster, or none
 * @param port of the first Memory Node of a host
 * @param segmentSizeLog2 of each segment
 * @param segments of each Memory Node
 */
record RequestedCluster(String fabric, List<String> hosts, int port, int segmentSizeLog2, int segments) {
    static final String SHM = "shm";
    static final String VERBS = "verbs";

    /** What the segments of one Memory Node take. */
    long memoryNodeBytes() {
        return segments * (1L << segmentSizeLog2);
    }
}
