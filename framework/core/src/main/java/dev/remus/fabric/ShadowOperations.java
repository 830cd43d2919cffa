// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

/**
 * Blocking access to the words by which the framework checks the use of memory, for one thread. They are apart from
 * what the program does, so a simulator may execute them at once: then checks change no schedule.
 *
 * <p>Pointers are checked, as for {@link BlockingOperations}.
 */
public interface ShadowOperations {
    /** READs {@code length} bytes, a multiple of 8, into local memory. May be torn at 8-byte boundaries. */
    void read(long pointer, LocalBuffer to, long toOffset, int length);

    /** WRITEs {@code length} bytes, a multiple of 8, from the beginning of local memory. They are placed then. */
    void write(long pointer, LocalBuffer from, int length);

    /** COMPARE_AND_SWAP; returns the word's old value. */
    long compareAndSwap(long pointer, long expected, long desired);

    /** The same operations as those of a thread: each takes a round trip. */
    static ShadowOperations by(BlockingOperations memory) {
        return new ShadowOperations() {
            @Override
            public void read(long pointer, LocalBuffer to, long toOffset, int length) {
                memory.read(pointer, to, toOffset, length);
            }

            @Override
            public void write(long pointer, LocalBuffer from, int length) {
                memory.write(pointer, from, 0, length);
            }

            @Override
            public long compareAndSwap(long pointer, long expected, long desired) {
                return memory.compareAndSwap(pointer, expected, desired);
            }
        };
    }
}
