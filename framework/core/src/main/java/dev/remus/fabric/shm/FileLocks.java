// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import java.io.IOException;
import java.nio.channels.FileChannel;

/**
 * Acquires the lock on a file, and retries up to a time limit.
 *
 * <p>An interrupt does not end the wait, which has its own limit: a node that is closed by an interrupted thread must
 * leave nothing behind either.
 */
final class FileLocks {
    private static final long PAUSE_MILLIS = 2;

    private FileLocks() {}

    /**
     * Acquires the exclusive lock. It is held until the channel is closed or the process ends.
     *
     * @return false if another process has held the lock all the time
     */
    static boolean acquire(FileChannel channel, long timeoutMillis) throws IOException {
        long deadline = System.nanoTime() + timeoutMillis * 1_000_000;
        boolean interrupted = false;
        try {
            while (channel.tryLock() == null) {
                if (System.nanoTime() - deadline > 0) {
                    return false;
                }
                try {
                    Thread.sleep(PAUSE_MILLIS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
