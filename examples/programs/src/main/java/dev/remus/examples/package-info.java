/**
 * Short programs, each a page to read: {@code HelloProgram} and {@code SharedObjectProgram} are the first steps of the
 * tutorial, and {@code RemoteStack} is a whole structure with its program.
 */
@NullMarked
package dev.remus.examples;

import org.jspecify.annotations.NullMarked;
