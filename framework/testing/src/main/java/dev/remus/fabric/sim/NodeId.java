// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

/** A node of a simulated cluster. */
record NodeId(String cluster, int node) {}
