// SPDX-License-Identifier: Apache-2.0
/**
 * Queues to compare with those of {@link dev.remus.structures}: the two lock-based ones, and the lock-free queue as it
 * was published, with its mistakes.
 *
 * <p>Depends on {@link dev.remus.structures} and the framework only, and uses nothing of them that is not public.
 */
@NullMarked
package dev.remus.structures.baseline;

import org.jspecify.annotations.NullMarked;
