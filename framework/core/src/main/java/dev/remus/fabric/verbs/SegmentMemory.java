// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import com.ibm.disni.verbs.IbvMr;
import dev.remus.fabric.FabricException;
import java.io.IOException;
import net.openhft.chronicle.core.UnsafeMemory;

/** The registered memory of one segment. Its owner frees it only when no operation can still use it. */
final class SegmentMemory {
    private final long bytes;
    private final long address;
    private final IbvMr region;

    /** Reserves and registers zeroed memory. */
    SegmentMemory(ProtectionDomain domain, long bytes) throws IOException {
        this.bytes = bytes;
        this.address = NativeMemory.allocate(bytes);
        try {
            this.region = domain.register(address, bytes, Verbs.ACCESS_REMOTE);
        } catch (IOException e) {
            NativeMemory.free(address, bytes);
            throw e;
        }
    }

    long address() {
        return address;
    }

    int remoteKey() {
        return region.getRkey();
    }

    long get(long offset) {
        return UnsafeMemory.MEMORY.readVolatileLong(null, address + offset);
    }

    void set(long offset, long value) {
        UnsafeMemory.MEMORY.writeVolatileLong(null, address + offset, value);
    }

    /** Withdraws it from the network and frees it. */
    void free() {
        try {
            withdraw();
            release();
        } catch (IOException e) {
            throw new FabricException("cannot withdraw a segment: " + e.getMessage(), e);
        }
    }

    /** Withdraws it from the network; this process may still read it. */
    void withdraw() throws IOException {
        Verbs.deregister(region);
    }

    /** Frees the memory, which has been withdrawn. */
    void release() throws IOException {
        NativeMemory.free(address, bytes);
    }
}
