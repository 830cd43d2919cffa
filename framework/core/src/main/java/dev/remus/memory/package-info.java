// SPDX-License-Identifier: Apache-2.0
/**
 * The layout of remote memory: {@link dev.remus.memory.RdmaPtr remote pointers}, the {@link
 * dev.remus.memory.SegmentHeader segment header}, and the checks that every pointer passes before it is used.
 *
 * <p>A structure needs the pointers and the exceptions; {@code AddressSpace}, {@code KnownSegments}, {@code
 * SegmentHeader} and {@code SegmentLayout} are for the framework's other packages.
 *
 * <p>With {@link dev.remus.config.ClusterConfig#checkMemory}, these mistakes are reported, on any thread and node:
 *
 * <ul>
 *   <li>a block is freed or retired twice, with a wrong size, or without an allocation: {@link
 *       dev.remus.memory.InvalidFreeException};
 *   <li>an access to a block that is free, with the thread that freed it and the time: {@link
 *       dev.remus.memory.InvalidPointerException}. A retired block may be accessed until it is reclaimed. READs that
 *       may meet free blocks belong in a scope of {@code ValidatedReads};
 *   <li>a WRITE to a word on which an atomic was admitted since its block was allocated: {@link
 *       dev.remus.memory.MixedAccessException}. It may be harmless if no other thread uses the word at that time, which
 *       nothing shows: free the block, or change the word by an atomic.
 * </ul>
 *
 * <p>What is reported of frees and accesses is a mistake with certainty. Not every mistake is reported: an access to a
 * block that has been allocated again is like any other, and so is one that was admitted just before the block was
 * freed. Each access takes one READ more, or two inside a block of more than 64 bytes; these are not counted.
 *
 * <p>Depends on {@code dev.remus.config} and {@code dev.remus.fabric}.
 */
@NullMarked
package dev.remus.memory;

import org.jspecify.annotations.NullMarked;
