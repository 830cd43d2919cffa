// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.torture;

import java.util.List;
import java.util.stream.IntStream;

/** The nodes of a cluster: the ids of its Memory Nodes and Compute Nodes, and the threads of each Compute Node. */
record Topology(String name, int firstMemory, int lastMemory, int firstCompute, int lastCompute, int threads) {
    static final List<Topology> ALL = List.of(
            new Topology("1 MN + 2 CN", 0, 0, 1, 2, 2),
            new Topology("2 with both roles", 0, 1, 0, 1, 2),
            new Topology("3 with both roles, from id 5 on", 5, 7, 5, 7, 1),
            new Topology("2 MN + 2 CN", 0, 1, 2, 3, 1));

    boolean isMemory(int node) {
        return firstMemory <= node && node <= lastMemory;
    }

    boolean isCompute(int node) {
        return firstCompute <= node && node <= lastCompute;
    }

    List<Integer> nodes() {
        return IntStream.rangeClosed(Math.min(firstMemory, firstCompute), Math.max(lastMemory, lastCompute))
                .boxed()
                .toList();
    }

    String role(int node) {
        if (isMemory(node)) {
            return isCompute(node) ? "both" : "Memory Node";
        }
        return "Compute Node";
    }

    List<String> options() {
        return List.of(
                "--first-mn-id=" + firstMemory,
                "--last-mn-id=" + lastMemory,
                "--first-cn-id=" + firstCompute,
                "--last-cn-id=" + lastCompute,
                "--cn-threads=" + threads,
                "--mn-port=18515");
    }

    @Override
    public String toString() {
        return name;
    }
}
