// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The capabilities of an RDMA device, from {@code ibv_query_device(3)}, and its events. A context is the address of the
 * device's {@code
 * struct ibv_context}. Needs {@link NativeLibrary#load()}.
 */
public final class Device {
    private Device() {}

    /** The name of the device, such as {@code mlx5_0} or {@code rxe0}. */
    static native String name(long context) throws IOException;

    /** How many READs and atomics of one peer a queue pair can serve at once. */
    static native int maxReadAtomic(long context) throws IOException;

    /** How many READs and atomics a queue pair can have outstanding at once. */
    static native int maxInitiatorDepth(long context) throws IOException;

    /**
     * The accesses with respect to which atomics are atomic: 0 none, as there are no atomics; 1 other atomics through
     * this device; 2 all accesses of this machine to its memory.
     */
    static native int atomicCapability(long context) throws IOException;

    /**
     * The atomic capability of a device that is not open.
     *
     * @param name as {@link #name} gives it
     * @throws IOException if there is no such device or it cannot be opened
     */
    public static native int atomicsOf(String name) throws IOException;

    /**
     * Waits for the next event of the device itself, such as {@code port error}, and returns its name by {@code
     * ibv_event_type_str(3)}. To be called by one thread only.
     *
     * @return null if there is none in that time
     */
    static native @Nullable String awaitEvent(long context, int timeoutMillis) throws IOException;

    /** How many completions a completion queue can hold. */
    static native int maxCqe(long context) throws IOException;

    /** How many work requests a queue can hold. */
    static native int maxWorkRequests(long context) throws IOException;

    /** How many bytes can be registered in one piece. */
    static native long maxRegistration(long context) throws IOException;
}
