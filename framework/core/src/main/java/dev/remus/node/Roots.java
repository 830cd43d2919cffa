// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The roots that one thread knows: the one without a name, and those with names.
 *
 * <pre>
 *  SegmentLayout.names()
 *     |
 *     v  a block for each name, the latest first
 *    0        8        16         24                            64
 *   +--------+--------+----------+------------------------------+
 *   | next   | root   | bytes of | the name in UTF-8, then zeros |
 *   |        |        | the name |                              |
 *   +--------+--------+----------+------------------------------+
 * </pre>
 *
 * <p>A block is placed before a COMPARE_AND_SWAP on the first word publishes it. From then on only its root changes, by
 * atomics, and it stays as long as the cluster. A thread that adds a name has looked through all blocks. If its
 * COMPARE_AND_SWAP fails, it looks through those that others have published meanwhile, so no name is there twice.
 */
final class Roots {
    /** The most names of a cluster. */
    static final int MOST_NAMES = 64;

    /** The longest name, in bytes. */
    static final int MOST_BYTES = 40;

    private static final int NEXT = 0;
    private static final int ROOT = 8;
    private static final int LENGTH = 16;
    private static final int NAME = 24;

    private final CheckedMemory memory;
    private final BufferedTransfers transfers;
    private final Placement placement;
    private final ThreadBackoff backoff;
    private final ThreadBlocks blocks;
    private final long names;
    private final Root unnamed;
    private final Map<String, Root> named = new HashMap<>();

    /** How many names the thread has looked at in vain. */
    private int passed;

    private final ByteBuffer block = ByteBuffer.allocate(SegmentLayout.BLOCK).order(ByteOrder.nativeOrder());

    Roots(
            ClusterConfig config,
            CheckedMemory memory,
            BufferedTransfers transfers,
            Placement placement,
            ThreadBackoff backoff,
            ThreadBlocks blocks) {
        this.memory = memory;
        this.transfers = transfers;
        this.placement = placement;
        this.backoff = backoff;
        this.blocks = blocks;
        this.names = new SegmentLayout(config).names();
        this.unnamed = root(SegmentLayout.header(config.firstMemoryNode(), 0, SegmentHeader.ROOT));
    }

    private Root root(long word) {
        return new Root(word, memory, placement, backoff);
    }

    /** The root without a name. */
    Root unnamed() {
        return unnamed;
    }

    /** The root of a name, which is added if it is new. */
    Root named(String name) {
        Root known = named.get(name);
        if (known == null) {
            known = root(findOrAdd(encoded(name)) + ROOT);
            named.put(name, known);
        }
        return known;
    }

    private static byte[] encoded(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0 || bytes.length > MOST_BYTES) {
            throw new IllegalArgumentException("the name of a root, '" + name + "', has " + bytes.length
                    + " bytes in UTF-8, needs 1 to " + MOST_BYTES);
        }
        return bytes;
    }

    private long findOrAdd(byte[] name) {
        passed = 0;
        long first = memory.readHeader(names);
        long found = find(name, first, RdmaPtr.NULL);
        if (found != RdmaPtr.NULL) {
            return found;
        }
        long mine = blocks.allocate(SegmentLayout.BLOCK);
        while (true) {
            write(mine, first, name);
            long seen = memory.compareAndSwapHeader(names, first, mine);
            if (seen == first) {
                return mine;
            }
            found = find(name, seen, first);
            if (found != RdmaPtr.NULL) {
                blocks.free(mine, SegmentLayout.BLOCK); // no other thread has seen it
                return found;
            }
            first = seen;
            backoff.pause();
        }
    }

    /**
     * Looks for a name from one block to another, which is not looked at.
     *
     * @return its block, or null
     * @throws IllegalStateException if there are so many names that it cannot be added
     */
    private long find(byte[] name, long from, long end) {
        for (long at = from; at != end; at = block.getLong(NEXT)) {
            transfers.read(at, block.clear());
            if (isOf(name)) {
                return at;
            }
            if (++passed == MOST_NAMES) {
                throw new IllegalStateException("no room for a root named '" + new String(name, StandardCharsets.UTF_8)
                        + "': the cluster has " + MOST_NAMES + " named roots");
            }
        }
        return RdmaPtr.NULL;
    }

    private boolean isOf(byte[] name) {
        if (block.getLong(LENGTH) != name.length) {
            return false;
        }
        int i = 0;
        while (i < name.length && block.get(NAME + i) == name[i]) {
            i++;
        }
        return i == name.length;
    }

    private void write(long at, long next, byte[] name) {
        block.clear()
                .putLong(NEXT, next)
                .putLong(ROOT, RdmaPtr.NULL)
                .putLong(LENGTH, name.length)
                .put(NAME, new byte[MOST_BYTES])
                .put(NAME, name);
        transfers.write(at, block);
    }
}
