/**
 * The layout of remote memory: {@link dev.remus.memory.RdmaPtr remote pointers}, the {@link
 * dev.remus.memory.SegmentHeader segment header}, and the checks that every pointer passes before it is used.
 *
 * <p>A structure needs the pointers and the exceptions; {@code AddressSpace}, {@code KnownSegments}, {@code
 * SegmentHeader} and {@code SegmentLayout} are for the framework's other packages.
 *
 * <p>Depends on {@code dev.remus.config} and {@code dev.remus.fabric}.
 */
@NullMarked
package dev.remus.memory;

import org.jspecify.annotations.NullMarked;
