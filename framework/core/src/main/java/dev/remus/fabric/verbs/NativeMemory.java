package dev.remus.fabric.verbs;

import java.io.IOException;

/** Memory outside the Java heap that a device may be given. Needs {@link NativeLibrary#load()}. */
final class NativeMemory {
    private NativeMemory() {}

    /**
     * Reserves zeroed memory, page-aligned, all of which is there when this returns. In reserved huge pages if there
     * are enough and they divide it; else in transparent huge pages where the system has them enabled.
     *
     * @param bytes above 0
     * @return the address
     * @throws IOException if there is not so much memory
     */
    static native long allocate(long bytes) throws IOException;

    /**
     * Frees memory. No thread and no device may access it any more.
     *
     * @param address from {@link #allocate}
     * @param bytes the same as there
     */
    static native void free(long address, long bytes) throws IOException;
}
