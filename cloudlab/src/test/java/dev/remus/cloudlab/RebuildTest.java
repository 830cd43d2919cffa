// SPDX-License-Identifier: Apache-2.0
package dev.remus.cloudlab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When the launcher builds, with a Maven that only notes that it was called. */
@Tag("processes")
@Tag("any-jdk")
@Timeout(60)
class RebuildTest {
    private static final String BUILD = "framework/core/src/main/native/build.sh";

    @TempDir
    private Path folder;

    @BeforeEach
    void makeProject() throws IOException {
        Files.createDirectories(folder.resolve(BUILD).getParent());
        Files.copy(Shell.CLOUDLAB.resolveSibling(BUILD), folder.resolve(BUILD), StandardCopyOption.COPY_ATTRIBUTES);
        Shell.copyLauncher(folder);
        Path maven = Files.writeString(folder.resolve("mvnw"), "#!/bin/sh\necho \"$*\" >>called\n");
        assertThat(maven.toFile().setExecutable(true)).isTrue();
        Files.writeString(folder.resolve("A.java"), "class A { public static void main(String[] args) {} }\n");
        Path jar = folder.resolve("examples/launcher/target/remus-launcher-0.2.0.jar");
        Files.createDirectories(jar.getParent());
        try (OutputStream out = Files.newOutputStream(jar)) {
            new JarOutputStream(out, new Manifest()).close();
        }
        Files.createDirectories(folder.resolve("framework/core/target/classes"));
    }

    private void leaveOut(String missing) throws IOException {
        Files.writeString(
                folder.resolve("framework/core/target/native-left-out"),
                System.getProperty("java.home") + "\n" + missing + "\n");
    }

    private String start(String compiler) throws Exception {
        return start(compiler, Path.of("another-checkout"));
    }

    private String start(String compiler, Path tested) throws Exception {
        Shell.Ended ended = Shell.start(
                        Map.of(
                                "JAVA_HOME",
                                System.getProperty("java.home"),
                                "CC",
                                compiler,
                                "REMUS_TESTED",
                                tested.toString()),
                        List.of(
                                folder.resolve("remus").toString(),
                                "run",
                                folder.resolve("A.java").toString()))
                .await();
        assertThat(ended.status()).as(ended.output()).isZero();
        return ended.output();
    }

    @Test
    void aCompilerThatIsInstalledLaterLeadsToABuildWithTheNativeHalf() throws Exception {
        leaveOut("the C compiler that was missing");
        assertThat(start("no-such-compiler")).contains("building (there is a C compiler now, or headers");
        assertThat(folder.resolve("called")).exists();
    }

    @Test
    void nothingIsBuiltInsideTheTestsOfTheSameCheckout() throws Exception {
        leaveOut("the C compiler that was missing");
        assertThat(start("no-such-compiler", folder.toRealPath())).doesNotContain("building");
        assertThat(folder.resolve("called")).doesNotExist();
    }

    @Test
    void whileTheSameIsMissingNothingIsBuilt() throws Exception {
        leaveOut("the C compiler no-such-compiler");
        assertThat(start("no-such-compiler")).doesNotContain("building");
        assertThat(folder.resolve("called")).doesNotExist();
    }
}
