// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Optional;

/** The user of this process, as the owner of files. */
public final class ThisUser {
    /** Unknown where there is no {@code /proc}. */
    private static final Optional<Object> OWNER = owner();

    private ThisUser() {}

    private static Optional<Object> owner() {
        try {
            return Optional.of(Files.getOwner(Path.of("/proc/self")));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Whether this user owns a file. The kernel answers, since users need not have names. */
    public static boolean owns(PosixFileAttributes file) {
        return OWNER.map(file.owner()::equals).orElse(true);
    }
}
