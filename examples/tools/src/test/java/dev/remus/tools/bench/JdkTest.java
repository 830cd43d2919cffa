// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JdkTest {
    @TempDir
    private Path home;

    private Path java(String script) throws IOException {
        Path java = Files.createDirectory(home.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\n" + script + "\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        return java;
    }

    @Test
    void theRunningJdkIsFoundByItsHomeAndByItsCommand() {
        Path running = Path.of(System.getProperty("java.home"));
        int feature = Runtime.version().feature();
        assertThat(Jdk.running().feature()).isEqualTo(feature);
        assertThat(Jdk.at(running).orElseThrow().feature()).isEqualTo(feature);
        assertThat(Jdk.at(running.resolve("bin").resolve("java")).orElseThrow().home())
                .isEqualTo(Jdk.running().home());
    }

    @Test
    void theVersionIsReadFromTheReleaseFile() throws Exception {
        java("exit 1");
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"21.0.3\"\n");
        assertThat(Jdk.at(home).orElseThrow().version()).isEqualTo("21.0.3");
    }

    @Test
    void withoutAReleaseFileTheVersionIsReadFromTheCommand() throws Exception {
        java("echo 'openjdk version \"1.8.0_402\"' >&2");
        assertThat(Jdk.at(home).orElseThrow().feature()).isEqualTo(8);
    }

    @Test
    void anEarlyAccessVersionHasAFeatureReleaseToo() {
        assertThat(new Jdk(home, "26-ea").feature()).isEqualTo(26);
    }

    @Test
    void aFolderWithoutTheCommandIsNoJdk() {
        assertThat(Jdk.at(home)).isEmpty();
        assertThat(Jdk.at(home.resolve("missing"))).isEmpty();
    }
}
