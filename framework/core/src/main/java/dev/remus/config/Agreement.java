package dev.remus.config;

/** Whether all nodes of a cluster need the same value of a {@link Setting}, and what becomes of a node with another one. */
public enum Agreement {
    /** All nodes need the same value, which is part of the cluster's name: others join another cluster, or find none. */
    NAMES_CLUSTER,

    /** All nodes need the same value, which fixes where things are in memory: other nodes are rejected when they connect. */
    LAYOUT,

    /** All nodes need the same value: a node with another one joins, fails at once, and the others report why. */
    COMPARED,

    /** Each node has its own value. */
    PER_NODE
}
