// SPDX-License-Identifier: Apache-2.0
package dev.remus.config;

/** Whether all nodes of a cluster need the same value of a {@link Setting}, and how nodes that differ are found. */
public enum Agreement {
    /** All nodes: the value is part of the cluster's name. A node that differs joins another cluster, or finds none. */
    NAMES_CLUSTER,

    /** All nodes: a Compute Node compares the value with the memory that a Memory Node offers, before it reads any. */
    OFFERED,

    /** All nodes: the value fixes where things are in memory. A node that differs is rejected before it joins. */
    LAYOUT,

    /** All nodes: a node that differs joins and fails at once, so the other nodes can report the reason. */
    COMPARED,

    /** All Compute Nodes of a program with options: they are compared, since its results would mix what it changes. */
    COMPUTE_NODES,

    /** No other node: each node has its own value. */
    PER_NODE
}
