// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.NodeLostException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** The exceptions about lost nodes: every node reports the same loss with the same message. */
final class LossExceptions {
    private LossExceptions() {}

    /** A node's name in messages. A node that is both is a {@code Compute Node 2}. */
    static String name(int node, ClusterConfig config) {
        return (config.isComputeNode(node) ? "Compute Node " : "Memory Node ") + node;
    }

    /**
     * The exception for a lost Compute Node or Memory Node.
     *
     * @param reason the reason of its failure; empty if unknown
     */
    static NodeLostException of(int node, LossKind kind, String reason, ClusterConfig config) {
        boolean known = kind == LossKind.FAILED && !reason.isEmpty();
        String message = kind.describe(name(node, config), config.lossTimeout());
        return new NodeLostException(node, kind, message + (known ? ": " + reason : ""));
    }

    /** The exception for the lost Memory Node of a link. */
    static NodeLostException ofMemoryNode(int node, LossKind kind, Duration lossTimeout) {
        return new NodeLostException(node, kind, kind.describe("Memory Node " + node, lossTimeout));
    }

    /**
     * The exception for the threads of a Compute Node that a Memory Node has declared lost, although it goes on.
     *
     * @param kind how it was lost, from the view of the others
     */
    static NodeLostException ofThisNode(int self, LossKind kind, int memoryNode) {
        return new NodeLostException(
                self,
                kind,
                "Compute Node " + self + ", this node, was declared lost by Memory Node " + memoryNode
                        + ": the others may take over what it held, so it changes nothing more and ends");
    }

    /** The exception for Compute Nodes, at least one, that have not joined in time. */
    static NodeLostException neverJoined(List<Integer> nodes, ClusterConfig config) {
        String names = nodes.size() == 1
                ? "Compute Node " + nodes.get(0)
                : "Compute Nodes " + nodes.stream().map(String::valueOf).collect(Collectors.joining(", "));
        String verb = nodes.size() == 1 ? " never joined: it was" : " never joined: they were";
        return new NodeLostException(
                nodes.get(0),
                LossKind.NEVER_JOINED,
                names + verb + " not there within " + config.connectTimeout().toSeconds() + " s: "
                        + ClusterSettings.CONNECT_TIMEOUT.names());
    }
}
