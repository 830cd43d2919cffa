// SPDX-License-Identifier: Apache-2.0
/** The lines of source for which threads work. */
@NullMarked
package dev.remus.fabric.sim.source;

import org.jspecify.annotations.NullMarked;
