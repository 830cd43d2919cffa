/**
 * {@code bench round-trips}: the lazy list as the tutorial has it beside the fast one, without and with its cache: round
 * trips of each operation, and operations in a second. Uses {@code dev.remus.tools.harness} for the list on the Java
 * heap.
 *
 * <p>Depends on the framework, the structures, {@code dev.remus.tools.bench.suite}, {@code .cluster}, {@code .harness},
 * {@code .plot} and {@code .progress}.
 */
@NullMarked
package dev.remus.tools.bench.lists;

import org.jspecify.annotations.NullMarked;
