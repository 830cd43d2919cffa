// SPDX-License-Identifier: Apache-2.0
/**
 * The detection rate of schedulers: how many schedules each needs to find mistakes that are known to exist.
 *
 * <p>Depends on {@code dev.remus.simulation}, the scenarios and the baselines. Used by {@code ./remus check}.
 */
@NullMarked
package dev.remus.tools.detection;

import org.jspecify.annotations.NullMarked;
