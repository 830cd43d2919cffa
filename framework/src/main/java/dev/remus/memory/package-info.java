/**
 * What remote memory looks like: {@link dev.remus.memory.RdmaPtr remote pointers}, the {@link
 * dev.remus.memory.SegmentHeader segment header}, and the checks that every pointer passes before it is used.
 *
 * <p>Depends on {@code dev.remus.config} and {@code dev.remus.fabric}.
 */
@NullMarked
package dev.remus.memory;

import org.jspecify.annotations.NullMarked;
