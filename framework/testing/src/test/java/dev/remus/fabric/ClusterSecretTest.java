// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.remus.config.ClusterConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterSecretTest {
    private static final String OPTION = "clusterSecret (--cluster-secret): ";

    @TempDir
    private Path folder;

    private Path file(String mode, int bytes) throws IOException {
        Path file = Files.write(folder.resolve("secret"), "x".repeat(bytes).getBytes(StandardCharsets.UTF_8));
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    private static ClusterConfig config(Path file) {
        return ClusterConfig.builder()
                .memoryNodes(0, 0)
                .computeNodes(1, 1)
                .clusterSecret(file.toString())
                .build();
    }

    private static void assertRefused(Path file, String message) {
        assertThatThrownBy(() -> ClusterSecret.of(config(file)))
                .isInstanceOf(FabricException.class)
                .hasMessageStartingWith(OPTION + file)
                .hasMessageContaining(message);
        assertThatThrownBy(() -> Fabric.of(config(file)))
                .as("on shm too")
                .isInstanceOf(FabricException.class)
                .hasMessageStartingWith(OPTION + file);
    }

    @Test
    void withoutTheSettingThereIsNoSecret() {
        ClusterConfig config =
                ClusterConfig.builder().memoryNodes(0, 0).computeNodes(1, 1).build();
        assertThat(ClusterSecret.of(config)).isEqualTo(Optional.empty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-------", "r--------"})
    void aFileOfTheUserAloneIsASecret(String mode) throws IOException {
        ClusterSecret secret = ClusterSecret.of(config(file(mode, 32))).orElseThrow();
        byte[] message = {1, 2, 3};
        byte[] signature = secret.sign(message);
        assertThat(signature).hasSize(ClusterSecret.SIGNATURE_BYTES);
        assertThat(secret.signed(message, signature)).isTrue();
        assertThat(secret.signed(new byte[] {1, 2, 4}, signature)).isFalse();
        signature[31] ^= 1;
        assertThat(secret.signed(message, signature)).isFalse();
        assertThat(secret.signed(message, new byte[0])).isFalse();
    }

    /** The figure is from {@code printf abc | openssl dgst -sha256 -hmac 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'}. */
    @Test
    void aSignatureIsAnHmacWithSha256() throws IOException {
        ClusterSecret secret = ClusterSecret.of(config(file("rw-------", 32))).orElseThrow();
        assertThat(HexFormat.of().formatHex(secret.sign("abc".getBytes(StandardCharsets.UTF_8))))
                .isEqualTo("424f2222af9e51dc78840295df2060598995b8a8f3a4ee5731b5be2b29d6abc7");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rwx------", "rw--w----", "rw-----w-"})
    void aFileThatIsOpenToOthersIsRefusedWithTheRemedy(String mode) throws IOException {
        Path file = file(mode, 32);
        assertRefused(file, "is open to other users: chmod 600 " + file);
    }

    @Test
    void aFileOfAnotherUserIsRefused() throws IOException {
        Path file = file("rw-------", 32);
        assumeTrue(isRoot(), "only root can give a file away");
        Files.setAttribute(file, "unix:uid", 12_345);
        assertRefused(file, "belongs to another user");
    }

    private boolean isRoot() throws IOException {
        return Files.getAttribute(folder, "unix:uid").equals(0);
    }

    @Test
    void aFileThatIsTooShortOrTooLongIsRefusedWithTheRemedy() throws IOException {
        assertRefused(file("rw-------", 15), "has less than 16 bytes: head -c 32 /dev/urandom > ");
        assertRefused(file("rw-------", 4097), "has more than 4096 bytes");
    }

    @Test
    void anythingButAFileIsRefused() throws IOException {
        assertRefused(folder, "is no file");
        assertRefused(Files.createSymbolicLink(folder.resolve("link"), file("rw-------", 32)), "is no file");
        assertRefused(folder.resolve("missing"), "does not exist: (umask 077; head -c 32 /dev/urandom > ");
    }
}
