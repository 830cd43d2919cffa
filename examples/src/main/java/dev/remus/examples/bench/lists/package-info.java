/**
 * {@code bench round-trips}: the lazy list as the tutorial has it beside the fast one, without and with its cache: round
 * trips of each operation, and operations in a second. Uses {@code dev.remus.examples.harness} for the list on the Java
 * heap.
 */
package dev.remus.examples.bench.lists;
