/**
 * Locks in remote memory, for structures and programs that need one.
 *
 * <p>Depends on {@code dev.remus.record}, {@code dev.remus.node}, {@code dev.remus.memory} and
 * {@code dev.remus.fabric}.
 */
@NullMarked
package dev.remus.lock;

import org.jspecify.annotations.NullMarked;
