// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.fabric.LocalBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Work requests in native memory, one in each slot, as {@code ibv_post_send(3)} takes them. Setting one allocates
 * nothing.
 *
 * <pre>
 *  struct ibv_send_wr, 128 bytes                                  struct ibv_sge, 16 bytes
 *    0  wr_id                    8  next                            0  addr
 *   16  sg_list                 24  num_sge (int)                   8  length (int)
 *   28  opcode (int)            32  send_flags (int)               12  lkey (int)
 *   40  remote_addr
 *   48  rkey (int)       | 48  compare_add     READ, WRITE | atomics
 *                        | 56  swap
 *                        | 64  rkey (int)
 *
 *  the memory: n slots of ibv_send_wr, then n slots of ibv_sge, each work request pointing to its own
 * </pre>
 *
 * These offsets hold on every 64-bit platform; the build of the native library fails where they do not.
 */
final class WorkRequests {
    /** {@code enum ibv_wr_opcode}. */
    static final int WRITE = 0;

    static final int SEND = 2;
    static final int READ = 4;
    static final int COMPARE_AND_SWAP = 5;
    static final int FETCH_AND_ADD = 6;

    /** {@code enum ibv_send_flags}. */
    static final int FENCE = 1;

    static final int SIGNALED = 2;

    /** The data is taken from local memory when the request is posted. */
    static final int INLINE = 8;

    private static final int BYTES = 128;
    private static final int SGE_BYTES = 16;

    private static final int ID = 0;
    private static final int NEXT = 8;
    private static final int SG_LIST = 16;
    private static final int NUM_SGE = 24;
    private static final int OPCODE = 28;
    private static final int SEND_FLAGS = 32;
    private static final int REMOTE_ADDRESS = 40;
    private static final int RKEY = 48;
    private static final int COMPARE_ADD = 48;
    private static final int SWAP = 56;
    private static final int ATOMIC_RKEY = 64;

    private final ByteBuffer memory;
    private final long address;
    private final int sges;

    /** @param slots how many requests it holds */
    WorkRequests(int slots) {
        memory = ByteBuffer.allocateDirect(slots * (BYTES + SGE_BYTES)).order(ByteOrder.nativeOrder());
        address = LocalBuffer.address(memory);
        sges = slots * BYTES;
        for (int slot = 0; slot < slots; slot++) {
            memory.putLong(slot * BYTES + SG_LIST, address + sges + (long) slot * SGE_BYTES);
            memory.putInt(slot * BYTES + NUM_SGE, 1);
        }
    }

    /** The address of a slot, for {@link Verbs#postSend}; valid while this object is reachable. */
    long address(int slot) {
        return address + (long) slot * BYTES;
    }

    /** Sets a request without a remote address; it ends its list. */
    void set(int slot, long id, int opcode, int flags) {
        int at = slot * BYTES;
        memory.putLong(at + ID, id);
        memory.putLong(at + NEXT, 0);
        memory.putInt(at + OPCODE, opcode);
        memory.putInt(at + SEND_FLAGS, flags);
    }

    void setLocal(int slot, long localAddress, int length, int localKey) {
        int at = sges + slot * SGE_BYTES;
        memory.putLong(at, localAddress);
        memory.putInt(at + 8, length);
        memory.putInt(at + 12, localKey);
    }

    /** Makes a request transfer nothing, for a WRITE of which only the acknowledgement matters. */
    void setEmpty(int slot) {
        memory.putInt(slot * BYTES + NUM_SGE, 0);
    }

    /** Sets the remote address of a READ or WRITE. */
    void setRemote(int slot, long remoteAddress, int remoteKey) {
        int at = slot * BYTES;
        memory.putLong(at + REMOTE_ADDRESS, remoteAddress);
        memory.putInt(at + RKEY, remoteKey);
    }

    /** Sets the remote address and the operands of an atomic. */
    void setRemote(int slot, long remoteAddress, int remoteKey, long compareOrAdd, long swap) {
        int at = slot * BYTES;
        memory.putLong(at + REMOTE_ADDRESS, remoteAddress);
        memory.putLong(at + COMPARE_ADD, compareOrAdd);
        memory.putLong(at + SWAP, swap);
        memory.putInt(at + ATOMIC_RKEY, remoteKey);
    }

    /** Sets the address of the next request in the list, or 0. */
    void setNext(int slot, long next) {
        memory.putLong(slot * BYTES + NEXT, next);
    }
}
