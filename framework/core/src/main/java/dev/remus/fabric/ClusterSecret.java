// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ClusterSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret of a cluster, with which its nodes sign what they prove to each other: HMAC-SHA256, with the contents of
 * the file of {@code --cluster-secret} as the key.
 */
public final class ClusterSecret {
    /** The length of a signature in bytes. */
    public static final int SIGNATURE_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";
    private static final int LEAST_BYTES = 16;
    private static final int MOST_BYTES = 4096;
    private static final String OPTION = ClusterSettings.CLUSTER_SECRET.names();

    private static final Collection<PosixFilePermission> FOR_THE_OWNER =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private final SecretKeySpec key;

    private ClusterSecret(byte[] bytes) {
        this.key = new SecretKeySpec(bytes, ALGORITHM);
    }

    /**
     * The secret of a configuration; empty if it names none.
     *
     * @throws FabricException if the file is missing, too short or too long, of another user, or open to others
     */
    public static Optional<ClusterSecret> of(ClusterConfig config) {
        String file = config.clusterSecret();
        return file.equals(ClusterSettings.NO_SECRET) ? Optional.empty() : Optional.of(read(Path.of(file)));
    }

    private static ClusterSecret read(Path file) {
        try {
            check(file, Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
            try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
                byte[] bytes = in.readNBytes(MOST_BYTES + 1);
                if (bytes.length < LEAST_BYTES || bytes.length > MOST_BYTES) {
                    throw refused(
                            file,
                            "has "
                                    + (bytes.length < LEAST_BYTES
                                            ? "less than " + LEAST_BYTES
                                            : "more than " + MOST_BYTES)
                                    + " bytes: head -c 32 /dev/urandom > " + file);
                }
                return new ClusterSecret(bytes);
            }
        } catch (NoSuchFileException e) {
            throw refused(
                    file,
                    "does not exist: (umask 077; head -c 32 /dev/urandom > " + file + "), and copy it to all nodes");
        } catch (IOException e) {
            throw new FabricException(OPTION + ": " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static void check(Path file, PosixFileAttributes found) {
        if (!found.isRegularFile()) {
            throw refused(file, "is no file, or a link to one");
        }
        if (!ThisUser.owns(found)) {
            throw refused(file, "belongs to another user (" + found.owner().getName() + ")");
        }
        if (!FOR_THE_OWNER.containsAll(found.permissions())) {
            throw refused(file, "is open to other users: chmod 600 " + file);
        }
    }

    private static FabricException refused(Path file, String reason) {
        return new FabricException(OPTION + ": " + file + " " + reason);
    }

    /** Signs a message. */
    public byte[] sign(byte[] message) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(message);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    /** Whether a signature is that of a message. The time that this takes does not depend on where they differ. */
    public boolean signed(byte[] message, byte[] signature) {
        return MessageDigest.isEqual(sign(message), signature);
    }
}
