// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.core.UnsafeMemory;
import org.jspecify.annotations.Nullable;

/**
 * Registered local memory: READs and atomics put their results into it, and WRITEs take their data from it. It starts
 * at a cache line, is zeroed at first, and is little-endian. The garbage collector frees it once nothing refers to it
 * any more, so it cannot vanish during an operation.
 *
 * <p>A buffer belongs to the thread that allocated it. While a request that names it is outstanding, its contents
 * belong to the fabric. {@link ComputeEndpoint#allocateLocal} makes buffers.
 */
public final class LocalBuffer {
    /** The page size, to which registered memory must be aligned. */
    private static final int PAGE = 4096;

    /** The offset of the address in a direct buffer. The JDK's own method for it needs a JVM flag. */
    private static final long ADDRESS = offsetOfAddress();

    private final ByteBuffer memory;

    /** The offset in {@link #memory} of the first byte. */
    private final int start;

    private final long address;

    /** A copy of the address, since the buffer's own is a load further away. */
    private final int bytes;

    private final int localKey;

    /** Keeps the whole memory and its registration reachable; null if this is no part of another. */
    @SuppressWarnings("unused")
    private final @Nullable LocalBuffer whole;

    private LocalBuffer(ByteBuffer memory, int localKey) {
        this.memory = memory;
        this.start = 0;
        this.address = address(memory);
        this.bytes = memory.capacity();
        this.localKey = localKey;
        this.whole = null;
    }

    private LocalBuffer(LocalBuffer whole, int start, int bytes) {
        this.memory = whole.memory;
        this.start = start;
        this.address = whole.address + start;
        this.bytes = bytes;
        this.localKey = whole.localKey;
        this.whole = whole;
    }

    /**
     * For fabric implementations: memory that needs no registration, in pages of its own. {@link LocalSlabs} allocates
     * small buffers.
     *
     * @param bytes 8 to 2^30, a multiple of 8
     */
    public static LocalBuffer unregistered(long bytes) {
        checkSize(bytes);
        // Whole pages, since alignedSlice() cuts off a partial page at the end, and one more to align the first.
        int pages = ((int) bytes + PAGE - 1) / PAGE;
        ByteBuffer padded = ByteBuffer.allocateDirect((pages + 1) * PAGE);
        ByteBuffer aligned = padded.alignedSlice(PAGE).limit((int) bytes).slice();
        return new LocalBuffer(aligned.order(ByteOrder.LITTLE_ENDIAN), 0);
    }

    static void checkSize(long bytes) {
        if (bytes < Long.BYTES || bytes > 1 << 30 || bytes % Long.BYTES != 0) {
            throw new IllegalArgumentException(
                    "local memory of " + bytes + " bytes: needs a multiple of 8 between 8 and 2^30");
        }
    }

    private static long offsetOfAddress() {
        try {
            return UnsafeMemory.MEMORY.objectFieldOffset(Buffer.class.getDeclaredField("address"));
        } catch (NoSuchFieldException e) {
            throw new LinkageError("this JDK keeps the address of a direct buffer elsewhere", e);
        }
    }

    /** For fabric implementations: the address of the first byte of a direct buffer. Keep the buffer reachable. */
    public static long address(ByteBuffer direct) {
        if (!direct.isDirect()) {
            throw new IllegalArgumentException("a buffer on the Java heap has no fixed address");
        }
        return UnsafeMemory.MEMORY.readLong(direct, ADDRESS);
    }

    /** For fabric implementations: the same memory with the key of its registration. */
    public LocalBuffer registeredAs(int localKey) {
        return new LocalBuffer(memory, localKey);
    }

    /** A part of this memory with the same key. It keeps the rest reachable. */
    LocalBuffer part(int offset, int length) {
        check(offset, length);
        return new LocalBuffer(this, offset, length);
    }

    /** Size in bytes. */
    public long bytes() {
        return bytes;
    }

    /** For fabric implementations: the address of the first byte. Keep this object reachable while using it. */
    public long address() {
        return address;
    }

    /** For fabric implementations: the key of the registration, 0 if there is none. */
    public int localKey() {
        return localKey;
    }

    /**
     * The word at a byte offset. After a request's completion was polled, this returns what the request stored. Polling
     * orders the two, so a plain load suffices. To wait for a word to change, poll.
     *
     * @throws IndexOutOfBoundsException outside the buffer
     */
    public long getLong(long offset) {
        long value = UnsafeMemory.MEMORY.readLong(address + word(offset));
        Reference.reachabilityFence(this);
        return value;
    }

    /**
     * Sets the word at a byte offset.
     *
     * @throws IndexOutOfBoundsException outside the buffer
     */
    public void putLong(long offset, long value) {
        UnsafeMemory.MEMORY.writeOrderedLong(address + word(offset), value);
        Reference.reachabilityFence(this);
    }

    /**
     * A little-endian view of a part of this memory, with its own position and limit.
     *
     * @throws IndexOutOfBoundsException outside the buffer
     */
    public ByteBuffer view(long offset, int length) {
        return memory.slice(start + checked(offset, length), length).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Appends bytes of this memory to Chronicle Bytes. Any length. Allocates nothing.
     *
     * @throws IndexOutOfBoundsException outside the buffer
     * @throws java.nio.BufferOverflowException if the other bytes have too little room; some may have been
     *     appended
     */
    public void copyTo(long offset, int length, Bytes<?> to) {
        long at = address + checked(offset, length);
        long end = at + length;
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            to.writeLong(UnsafeMemory.MEMORY.readLong(at));
        }
        for (; at < end; at++) {
            to.writeByte(UnsafeMemory.MEMORY.readByte(at));
        }
        Reference.reachabilityFence(this);
    }

    /**
     * Copies all readable bytes of Chronicle Bytes to this memory, and moves their read position. Allocates nothing.
     *
     * @return the number of bytes copied
     * @throws IndexOutOfBoundsException outside the buffer; then nothing was copied
     */
    public int copyFrom(Bytes<?> from, long offset) {
        long length = from.readRemaining();
        long at = address + checked(offset, length);
        long end = at + length;
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            UnsafeMemory.MEMORY.writeLong(at, from.readLong());
        }
        for (; at < end; at++) {
            UnsafeMemory.MEMORY.writeByte(at, from.readByte());
        }
        Reference.reachabilityFence(this);
        return (int) length;
    }

    /**
     * Checks that a request may name a part of this memory.
     *
     * @throws IndexOutOfBoundsException if the part is not inside, or does not start at a multiple of 8
     */
    public void check(long offset, int length) {
        if ((checked(offset, length) & 7) != 0) {
            throw new IndexOutOfBoundsException("local offset " + offset + ": needs a multiple of 8");
        }
    }

    private long word(long offset) {
        if (offset < 0 || offset > bytes - Long.BYTES) {
            throw outside(offset, Long.BYTES);
        }
        return offset;
    }

    private int checked(long offset, long length) {
        if ((offset | length | (bytes - length - offset)) < 0) { // one branch for all three
            throw outside(offset, length);
        }
        return (int) offset;
    }

    private IndexOutOfBoundsException outside(long offset, long length) {
        return new IndexOutOfBoundsException(
                "bytes " + offset + " to " + (offset + length) + " of a local buffer of " + bytes + " bytes");
    }
}
