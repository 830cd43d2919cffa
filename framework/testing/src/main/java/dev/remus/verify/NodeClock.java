// SPDX-License-Identifier: Apache-2.0
package dev.remus.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** The clock by which the logs of a process are written. */
interface NodeClock {
    /** The clock of {@link System#nanoTime}. */
    NodeClock HERE = new NodeClock() {
        @Override
        public long identity() {
            return Identity.VALUE;
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }
    };

    /** A number, 0 or more, that is the same in two processes only if their readings can be compared. */
    long identity();

    /** A reading in nanoseconds. */
    long nanoTime();

    /**
     * The identity of this process's clock. Linux counts the nanoseconds since it started, so the clock is that of all
     * processes since this start in one time namespace. Where this cannot be read, no other process has the same clock.
     */
    final class Identity {
        static final long VALUE = read() & Long.MAX_VALUE;

        private Identity() {}

        private static long read() {
            try {
                String start = Files.readString(Path.of("/proc/sys/kernel/random/boot_id"));
                Path namespace = Path.of("/proc/self/ns/time");
                String time = Files.exists(namespace)
                        ? Files.readSymbolicLink(namespace).toString()
                        : "";
                return List.of(start, time).hashCode() * 0x9E3779B97F4A7C15L;
            } catch (IOException e) {
                return ThreadLocalRandom.current().nextLong();
            }
        }
    }
}
