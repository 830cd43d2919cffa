// SPDX-License-Identifier: Apache-2.0
/**
 * Short example programs: {@code HelloProgram} and {@code SharedObjectProgram} are the first steps of the tutorial, and
 * {@code RemoteStack} is a complete structure with its program.
 */
@NullMarked
package dev.remus.examples;

import org.jspecify.annotations.NullMarked;
