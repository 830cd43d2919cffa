// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.ClusterSecret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/** Secrets of clusters in files of a folder. */
final class Secrets {
    private Secrets() {}

    /** A file with a secret, for this user alone. */
    static Path file(Path folder, String secret) throws IOException {
        Path file = folder.resolve(secret);
        if (!Files.exists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.write(file, secret.repeat(32).getBytes(StandardCharsets.UTF_8));
        }
        return file;
    }

    /** The secret in such a file. */
    static Optional<ClusterSecret> secret(Path folder, String secret) throws IOException {
        return ClusterSecret.of(ClusterConfig.builder()
                .memoryNodes(0, 0)
                .computeNodes(1, 1)
                .clusterSecret(file(folder, secret).toString())
                .build());
    }
}
