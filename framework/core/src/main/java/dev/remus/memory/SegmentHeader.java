// SPDX-License-Identifier: Apache-2.0
package dev.remus.memory;

import dev.remus.fabric.Version;
import java.util.Optional;

/**
 * The first 64 bytes of each segment.
 *
 * <pre>
 *  offset
 *       +-----------------------------------------------+
 *    0  | magic (32 bits), protocol (16), layout (16)   |  written before publication
 *       +-----------------------------------------------+
 *    8  | size of the segment in bytes                  |  written before publication
 *       +-----------------------------------------------+
 *   16  | end of the blocks (see SegmentLayout)         |  written before publication
 *       +-----------------------------------------------+
 *   24  | allocated: where the next new block starts    |  FETCH_AND_ADD, only grows
 *       +-----------------------------------------------+
 *   32  | control barrier                               |  FETCH_AND_ADD, COMPARE_AND_SWAP
 *       +-----------------------------------------------+
 *   40  | control flag: threads that have finished      |  FETCH_AND_ADD
 *       +-----------------------------------------------+
 *   48  | root                                          |  COMPARE_AND_SWAP
 *       +-----------------------------------------------+
 *   56  | loss: the first lost node and how, see        |  COMPARE_AND_SWAP
 *       | LossWord, or 0                                |
 *       +-----------------------------------------------+
 * </pre>
 *
 * <p>{@code allocated} is used in every segment; control flag and loss in segment 0 of every Memory Node; barrier and
 * root in segment 0 of the first Memory Node.
 */
public final class SegmentHeader {
    /** Size of the header: where the first block starts. */
    public static final int BYTES = 64;

    /** Offset of magic, protocol and layout, see {@link Version}. */
    public static final int MAGIC = 0;

    /** Offset of the segment's size. */
    public static final int SIZE = 8;

    /** Offset of the end of the blocks. */
    public static final int END = 16;

    /** Offset of the bump pointer. */
    public static final int ALLOCATED = 24;

    /** Offset of the control barrier. */
    public static final int BARRIER = 32;

    /** Offset of the control flag. */
    public static final int CONTROL = 40;

    /** Offset of the root. */
    public static final int ROOT = 48;

    /** Offset of the loss word. */
    public static final int LOSS = 56;

    private static final long RMUS = 0x524D_5553L << 32;
    private static final int PROTOCOL_SHIFT = 16;
    private static final int MASK = (1 << PROTOCOL_SHIFT) - 1;

    /** "RMUS" and the version of this software. */
    public static final long MAGIC_AND_VERSION = RMUS | (long) Version.PROTOCOL << PROTOCOL_SHIFT | Version.LAYOUT;

    private SegmentHeader() {}

    /** The word at {@link #MAGIC} in a segment of a Memory Node that runs a version. */
    public static long magic(Version version) {
        return RMUS | (long) version.protocol() << PROTOCOL_SHIFT | version.layout();
    }

    /** The version in a word at {@link #MAGIC}, without the software's; empty if the word is no such word. */
    public static Optional<Version> version(long magic) {
        return magic >>> 32 == RMUS >>> 32
                ? Version.of("", (int) (magic >>> PROTOCOL_SHIFT) & MASK, (int) magic & MASK)
                : Optional.empty();
    }
}
