// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static dev.remus.node.BlockShadow.FREE;
import static dev.remus.node.BlockShadow.INSIDE;
import static dev.remus.node.BlockShadow.LIVE;
import static dev.remus.node.BlockShadow.RETIRED;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Environment;
import dev.remus.fabric.Operation;
import dev.remus.memory.AccessCheck;
import dev.remus.memory.InvalidFreeException;
import dev.remus.memory.InvalidPointerException;
import dev.remus.memory.MixedAccessException;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import java.time.Instant;

/**
 * The checks of {@code --check-memory}, by the states of blocks in their {@link BlockShadow}. They detect, on any
 * thread and node, a block that is freed twice, with the wrong size or without an allocation; an access to a block that
 * is free; and a WRITE to a word on which an atomic was executed.
 *
 * <pre>
 *   never allocated (0) --allocate--> LIVE --schedReclaim--> RETIRED
 *                                     ^  |                      |
 *                           allocate  |  | free                 | reclaimDeferred, or an epoch
 *                                     |  v                      |
 *                                     FREE &lt;--------------------+
 * </pre>
 *
 * <p><b>No false alarm.</b> A thread may access a block that is LIVE or RETIRED. It becomes FREE when no thread can
 * hold a pointer to it, and LIVE before its new pointer is published. So a thread that reads FREE has made a mistake,
 * or it validates what it reads ({@link ValidatedReads}). A mark shows that an atomic was admitted since the block was
 * allocated, so the WRITE that reads it shares the word with atomics.
 *
 * <p><b>What is missed.</b> The state is read just before the access, so a block that is freed between the two is not
 * noticed, nor one that has been allocated again: a pointer does not show for which allocation it was made. A WRITE is
 * compared with the atomics that were admitted before it.
 *
 * <p>The shadow takes no atomics and WRITEs to the same word itself: only the words of a block's first 64 bytes have a
 * state that changes, and {@link BlockShadow#layOut} ends before the block's pointer is published.
 */
final class BlockStates implements AccessCheck {
    private final ClusterConfig config;
    private final int thread;
    private final CheckedMemory memory;
    private final SegmentLayout layout;
    private final BlockShadow shadow;
    private final Environment environment;

    /** @param thread the thread's number in the cluster */
    BlockStates(ClusterConfig config, int thread, CheckedMemory memory, OperationsFactory operations) {
        this.config = config;
        this.thread = thread;
        this.memory = memory;
        this.layout = new SegmentLayout(config);
        this.shadow = new BlockShadow(config, memory.newShadow(operations), operations);
        this.environment = operations.environment();
    }

    // ---------------------------------------------------------------------------------------------- changes

    void allocated(long block, long bytes) {
        long word = layout.blockState(block);
        long found = memory.compareAndSwapHeader(word, 0, bytes | LIVE);
        if (found != 0
                && (found != (bytes | FREE) || memory.compareAndSwapHeader(word, found, bytes | LIVE) != found)) {
            throw new IllegalStateException("the allocator handed out the block at (" + RdmaPtr.toString(block)
                    + ") with " + bytes + " bytes, which " + describe(block, found));
        }
        shadow.clear(block, bytes);
        if (found == 0) {
            shadow.layOut(block, bytes);
        }
    }

    void freed(long block, long bytes) {
        change(block, bytes, LIVE, FREE);
        shadow.record(block, thread, false, environment.wallClockMillis());
    }

    void retired(long block, long bytes) {
        change(block, bytes, LIVE, RETIRED);
        shadow.record(block, thread, true, environment.wallClockMillis());
    }

    void reclaimed(long block, long bytes) {
        change(block, bytes, RETIRED, FREE);
    }

    private void change(long block, long bytes, long from, long to) {
        long found = memory.compareAndSwapHeader(layout.blockState(block), bytes | from, bytes | to);
        if (found != (bytes | from)) {
            throw new InvalidFreeException(
                    block,
                    "the block at (" + RdmaPtr.toString(block) + ") is given back with " + bytes + " bytes, but "
                            + describe(block, found));
        }
    }

    private String describe(long block, long word) {
        String bytes = BlockShadow.bytes(word) + " bytes";
        if (BlockShadow.state(word) == LIVE) {
            return "it was allocated with " + bytes;
        }
        if (BlockShadow.state(word) == RETIRED || BlockShadow.state(word) == FREE) {
            shadow.read(block);
            return (BlockShadow.state(word) == FREE
                            ? "it is free already, with "
                            : "it has been given to schedReclaim already, with ")
                    + bytes + ": " + describeGiver(shadow.useWord());
        }
        return "no block starts there";
    }

    private String describeGiver(long use) {
        int giver = BlockShadow.thread(use);
        if (giver < 0) {
            return "a thread is giving it back at this moment";
        }
        int node = ThreadIds.node(config, giver);
        long at = BlockShadow.millis(use, environment.wallClockMillis());
        return "Compute Thread " + ThreadIds.index(config, giver) + " of Compute Node " + node
                + (BlockShadow.isRetired(use) ? " retired it at " : " freed it at ") + Instant.ofEpochMilli(at);
    }

    // ---------------------------------------------------------------------------------------------- accesses

    @Override
    public void check(Operation operation, long pointer, int length) {
        long end = pointer + length;
        for (long unit = BlockShadow.unit(pointer); unit < end; unit += BlockShadow.UNITS * SegmentLayout.BLOCK) {
            long left = (end - unit + SegmentLayout.BLOCK - 1) / SegmentLayout.BLOCK;
            int count = (int) Math.min(BlockShadow.UNITS, left);
            shadow.read(unit, count);
            for (int i = 0; i < count; i++) {
                checkUnit(operation, pointer, length, unit + (long) i * SegmentLayout.BLOCK, i);
            }
        }
    }

    private void checkUnit(Operation operation, long pointer, int length, long unit, int i) {
        long word = shadow.stateWord(i);
        if (BlockShadow.state(word) == FREE) {
            throw usedWhileFree(operation, pointer, length, unit, word);
        }
        if (BlockShadow.state(word) == INSIDE && unit <= pointer) { // else the block's first unit was checked
            long block = unit - checkedDistance(unit, BlockShadow.bytes(word));
            shadow.read(block);
            if (BlockShadow.state(shadow.stateWord()) == FREE) {
                throw usedWhileFree(operation, pointer, length, block, shadow.stateWord());
            }
        }
        long use = shadow.useWord(i);
        if (operation == Operation.WRITE) {
            checkMarks(pointer, length, unit, use);
        } else if (operation != Operation.READ) {
            shadow.mark(pointer, use);
        }
    }

    private static long checkedDistance(long unit, long distance) {
        if (distance <= 0
                || distance > RdmaPtr.offset(unit) - SegmentHeader.BYTES
                || distance % SegmentLayout.BLOCK != 0) {
            throw new IllegalStateException("the state word of the 64 bytes at (" + RdmaPtr.toString(unit)
                    + ") is damaged: no block starts " + distance + " bytes before");
        }
        return distance;
    }

    private InvalidPointerException usedWhileFree(
            Operation operation, long pointer, int length, long block, long word) {
        shadow.read(block);
        return new InvalidPointerException(
                pointer,
                describe(operation, pointer, length) + "the block at (" + RdmaPtr.toString(block) + "), "
                        + BlockShadow.bytes(word) + " bytes long, is free: " + describeGiver(shadow.useWord()));
    }

    private static void checkMarks(long pointer, int length, long unit, long use) {
        long last = Math.min(pointer + length, unit + SegmentLayout.BLOCK);
        for (long word = Math.max(pointer, unit); word < last; word += Long.BYTES) {
            if ((use & BlockShadow.mark(word)) != 0) {
                throw new MixedAccessException(
                        word,
                        describe(Operation.WRITE, pointer, length) + "an atomic was executed on the word at ("
                                + RdmaPtr.toString(word)
                                + ") since its block was allocated. Atomics are not atomic with"
                                + " respect to WRITEs: change it by compareAndSwap or fetchAndAdd only");
            }
        }
    }

    private static String describe(Operation operation, long pointer, int length) {
        return operation + " of " + length + " bytes at pointer (" + RdmaPtr.toString(pointer) + "): ";
    }
}
