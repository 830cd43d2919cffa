// SPDX-License-Identifier: Apache-2.0
/**
 * Data structures in remote memory: one class for each, which holds the algorithm and is a thread's handle at the same
 * time. Data is distributed, code is replicated: {@code This} is for data, {@code this} is for code.
 *
 * <p>Depends on the framework only. Queues that exist to be compared with these are in {@code
 * dev.remus.structures.baseline}.
 */
@NullMarked
package dev.remus.structures;

import org.jspecify.annotations.NullMarked;
