// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The limit on memory that this process may lock. Registration locks memory, so ordinary users reach this limit first.
 */
final class MemoryLock {
    private static final Path LIMITS = Path.of("/proc/self/limits");

    private MemoryLock() {}

    /** A sentence for the message of a registration that failed. */
    static String advice() {
        return "This process may lock " + limit() + " of memory; \"ulimit -l unlimited\" before it starts, or "
                + "\"memlock\" in /etc/security/limits.conf, lifts that";
    }

    private static String limit() {
        try {
            for (String line : Files.readAllLines(LIMITS)) {
                if (line.startsWith("Max locked memory")) {
                    String soft =
                            line.substring("Max locked memory".length()).strip().split("\\s+")[0];
                    return soft.equals("unlimited") ? "any amount" : soft + " bytes";
                }
            }
        } catch (IOException e) {
            return "an unknown amount (" + e.getMessage() + ")";
        }
        return "an unknown amount";
    }
}
