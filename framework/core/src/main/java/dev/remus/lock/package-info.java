// SPDX-License-Identifier: Apache-2.0
/**
 * Locks in remote memory, and other objects by which threads wait for each other or exclude each other: semaphores,
 * latches and leader slots.
 *
 * <p>Depends on {@code dev.remus.record}, {@code dev.remus.node}, {@code dev.remus.memory} and
 * {@code dev.remus.fabric}.
 */
@NullMarked
package dev.remus.lock;

import org.jspecify.annotations.NullMarked;
