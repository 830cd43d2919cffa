// SPDX-License-Identifier: Apache-2.0
/**
 * What people would use instead, on this machine: servers in processes of their own, and connections to them.
 *
 * <p>Depends on no other package of the project.
 */
@NullMarked
package dev.remus.tools.peer;

import org.jspecify.annotations.NullMarked;
