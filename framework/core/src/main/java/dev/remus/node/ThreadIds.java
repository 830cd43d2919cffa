// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;

/**
 * The ids of Compute Threads ({@link ComputeThread#id}). The threads of each {@link Life} of a Compute Node have ids of
 * their own. So a word that names a thread of an earlier life, such as a lock, names a lost thread for ever.
 *
 * <pre>
 *  0                      n = --cn-threads * Compute Nodes    2 n                  n (1 + --returns)
 * +----------------------+-----------------------------------+-----+-------------+
 * | first lives          | second lives                      | ... |             |
 * | node by node         | node by node                      |     |             |
 * +----------------------+-----------------------------------+-----+-------------+
 * </pre>
 */
final class ThreadIds {
    private ThreadIds() {}

    /** @param index the thread's number on its node */
    static int id(ClusterConfig config, int computeNode, int life, int index) {
        return life * config.totalThreads()
                + (computeNode - config.firstComputeNode()) * config.threadsPerNode()
                + index;
    }

    /** The Compute Node of a thread. */
    static int node(ClusterConfig config, int id) {
        return config.firstComputeNode() + id % config.totalThreads() / config.threadsPerNode();
    }

    /** The number of a thread on its node. */
    static int index(ClusterConfig config, int id) {
        return id % config.threadsPerNode();
    }

    /** The number of the life of its node to which a thread belongs, from 0. */
    static int life(ClusterConfig config, int id) {
        return id / config.totalThreads();
    }
}
