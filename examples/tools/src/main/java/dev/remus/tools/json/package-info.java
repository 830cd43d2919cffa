// SPDX-License-Identifier: Apache-2.0
/**
 * Writes JSON in one common format, to result files and as output of commands for other programs, and reads small
 * files.
 *
 * <p>Depends on no other package of this project.
 */
@NullMarked
package dev.remus.tools.json;

import org.jspecify.annotations.NullMarked;
