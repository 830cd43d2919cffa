// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import java.io.IOException;

/** Memory outside the Java heap that a device may access. Needs {@link NativeLibrary#load()}. */
final class NativeMemory {
    private NativeMemory() {}

    /**
     * Reserves zeroed, page-aligned memory, all of it present when this returns. It is in reserved huge pages if there
     * are enough and their size divides it; otherwise in transparent huge pages if the system has enabled them.
     *
     * @param bytes above 0
     * @return the address
     * @throws IOException if there is not enough memory
     */
    static native long allocate(long bytes) throws IOException;

    /**
     * Frees memory. No thread and no device may access it any more.
     *
     * @param address from {@link #allocate}
     * @param bytes the same as in that call
     */
    static native void free(long address, long bytes) throws IOException;
}
