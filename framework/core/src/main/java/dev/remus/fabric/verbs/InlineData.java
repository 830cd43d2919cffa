// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import java.io.IOException;

/**
 * How many bytes of a WRITE can be part of its request: {@code IBV_SEND_INLINE} in {@code ibv_post_send(3)}. The device
 * then gets data and request together, and does not fetch the data from memory afterwards.
 *
 * <p>No device tells its limit; the first queue pair shows whether it accepts {@link #WANTED}. Thread-safe.
 */
final class InlineData {
    /** Enough for a word and for most records; the requests of common cards stay within two of their 64-byte units. */
    static final int WANTED = 64;

    private static final int UNKNOWN = -1;

    private int bytes = UNKNOWN;

    /** Creates a queue pair whose requests have room for this many bytes. */
    interface Creation<T> {
        T create(int inlineBytes) throws IOException;
    }

    /** Creates a queue pair with as much room as all of its device have. */
    synchronized <T> T create(Creation<T> creation) throws IOException {
        if (bytes != UNKNOWN) {
            return creation.create(bytes);
        }
        T created;
        int accepted = WANTED;
        try {
            created = creation.create(WANTED);
        } catch (IOException e) {
            created = creation.create(0); // if this fails too, the size was not the reason
            accepted = 0;
        }
        bytes = accepted;
        return created;
    }

    /** What each queue pair has room for; 0 before the first. */
    synchronized int bytes() {
        return Math.max(0, bytes);
    }
}
