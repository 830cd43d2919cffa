// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The launcher installs a JDK only with permission, and announces it. Scripts replace apt-get and Java, so nothing is
 * installed.
 */
@Tag("processes")
@Tag("any-jdk")
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class InstallJdkTest {
    @TempDir
    private Path folder;

    private Checkout checkout;

    @BeforeEach
    void aMachineWithoutJava() throws IOException {
        checkout = new Checkout(folder).with("JAVA_HOME", null).with("REMUS_INSTALL_JDK", null);
        // The launcher finds no Java, neither on PATH nor elsewhere, until one is installed.
        Path launcher = folder.resolve("remus");
        Files.writeString(launcher, Files.readString(launcher).replace("/usr/lib/jvm/", folder.resolve("jvm") + "/"));
        checkout.script("bin/java", "exit 1");
        checkout.script("bin/sudo", "echo sudo >>\"" + folder + "/calls\"; exit 1");
        checkout.script("bin/apt-cache", "exit 0");
        checkout.script(
                "bin/apt-get",
                "echo \"apt-get $*\" >>'" + folder + "/calls'",
                "[[ \" $* \" != *' install '* ]] || { mkdir -p '" + folder + "/jvm/jdk/bin'; cd '" + folder
                        + "/jvm/jdk'",
                "echo 'JAVA_VERSION=\"17.0.1\"' >release; touch bin/java bin/javac; chmod +x bin/*; }");
        checkout.script("mvnw", "echo \"Maven was called with $JAVA_HOME\"; exit 1");
        checkout.with("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
    }

    private boolean installed() {
        return Files.exists(folder.resolve("calls"));
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    @Test
    void withoutATerminalRootGetsAJdkAfterAnAnnouncement() throws Exception {
        Checkout.Call call = checkout.remus("intset");
        if (!isRoot()) {
            assertThat(call.complaint()).contains("a JDK, 17 or later, is needed", "REMUS_INSTALL_JDK=yes");
            assertThat(installed()).isFalse();
            return;
        }
        assertThat(call.err())
                .containsSubsequence(
                        "no terminal to ask at",
                        "REMUS_INSTALL_JDK=no prevents that",
                        "running: apt-get update",
                        "running: apt-get install -y --no-install-recommends --no-upgrade openjdk-17-jdk-headless",
                        "Maven was called with " + folder.resolve("jvm/jdk"));
        assertThat(Files.readString(folder.resolve("calls"))).contains(" update\n", "openjdk-17-jdk-headless\n");
    }

    @Test
    void withoutPermissionNothingIsInstalled() throws Exception {
        Checkout.Call call = checkout.with("REMUS_INSTALL_JDK", "no").remus("intset");
        assertThat(call.status()).isEqualTo(2);
        assertThat(call.err().lines())
                .singleElement()
                .asString()
                .contains("a JDK, 17 or later, is needed", "openjdk-17-jdk-headless", "set JAVA_HOME");
        assertThat(installed()).isFalse();
    }

    @Test
    void anyOtherValueIsRejected() throws Exception {
        Checkout.Call call = checkout.with("REMUS_INSTALL_JDK", "maybe").remus("intset");
        assertThat(call.status()).isEqualTo(2);
        assertThat(call.complaint()).contains("REMUS_INSTALL_JDK is 'maybe', needs yes or no");
        assertThat(installed()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"update", "install"})
    void aFailureOfAptGetIsShownAndExplained(String step) throws Exception {
        checkout.script(
                "bin/apt-get",
                "[[ \" $* \" != *' " + step + " '* && $* != *" + step + " ]] || { echo 'E: no network'; exit 100; }");
        checkout.script("bin/sudo", "shift; exec \"$@\"");
        Checkout.Call call = checkout.with("REMUS_INSTALL_JDK", "yes").remus("intset");
        assertThat(call.status()).isEqualTo(2);
        assertThat(call.err()).contains("E: no network");
        assertThat(call.complaint()).startsWith("remus: apt-get ").contains("see above", "set JAVA_HOME");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "tset", "clean"})
    void commandsWithoutJavaInstallNone(String command) throws Exception {
        checkout.remus(command);
        assertThat(installed()).isFalse();
    }
}
