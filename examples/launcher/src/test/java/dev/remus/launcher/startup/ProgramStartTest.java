// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The launcher builds what a program needs before it starts it. Scripts replace Maven and Java. */
@Tag("processes")
@Tag("any-jdk")
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class ProgramStartTest {
    private static final String JAR = "examples/launcher/target/remus-launcher-0.2.0.jar";

    @TempDir
    private Path folder;

    private Checkout checkout;

    @BeforeEach
    void aCheckoutThatWasNeverBuilt() throws IOException {
        checkout = new Checkout(folder)
                .with("JAVA_HOME", folder.resolve("jdk").toString())
                .with("HOME", folder.resolve("home").toString());
        checkout.script("jdk/bin/java", "echo java");
        checkout.script("jdk/bin/javac", "echo javac");
        Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
        checkout.script("mvnw", "echo \"$@\" >>calls", "mkdir -p examples/launcher/target", ": >" + JAR);
        Files.createDirectories(folder.resolve("framework/core/src/main"));
    }

    private Path putClass(String place) throws IOException {
        Path file = folder.resolve(place).resolve("Old.class");
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "");
    }

    private void start() throws Exception {
        assertThat(checkout.remus("intset").status()).isZero();
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(folder.resolve("calls"));
    }

    @Test
    void aProgramIsBuiltWithoutTestsAndOnlyOnce() throws Exception {
        start();
        start();
        assertThat(calls())
                .containsExactly("-q -pl examples/launcher -am -DskipTests -DskipTestClasses -Dquick package");
    }

    @Test
    void classesOfTestsDoNotOutliveWhatTheyTest() throws Exception {
        start();
        Path tests = putClass("framework/testing/target/test-classes");
        Path tutorial = putClass("tutorial/target/classes");
        Path kept = putClass("framework/core/target/classes");
        start();
        assertThat(List.of(tests, tutorial)).allMatch(Files::exists, "nothing has changed");

        Files.writeString(folder.resolve("framework/core/src/main/New.java"), "");
        Files.setLastModifiedTime(folder.resolve(JAR), FileTime.fromMillis(0));
        start();
        assertThat(calls()).hasSize(2);
        assertThat(List.of(tests, tutorial)).noneMatch(Files::exists);
        assertThat(kept).exists();
    }

    @Test
    void searchesBoundTheirMemoryUnlessTheUserChoosesAHeap() throws Exception {
        checkout.script("jdk/bin/java", "echo \"$MALLOC_ARENA_MAX $*\"");
        assertThat(checkout.remus("check", "lazylist").out())
                .startsWith("1 ")
                .contains("-XX:+UseParallelGC -XX:MaxNewSize=")
                .contains("check lazylist");
        checkout.with("REMUS_JAVA_OPTS", "-Dcolour=red");
        assertThat(checkout.remus("check").out()).contains("-Dcolour=red").contains("-XX:MaxNewSize=");
        for (String own : List.of("-Xmx2g", "-XX:+UseZGC", "-XX:MaxRAMPercentage=50")) {
            checkout.with("REMUS_JAVA_OPTS", own);
            assertThat(checkout.remus("check").out())
                    .contains(own)
                    .doesNotContain("MaxNewSize")
                    .startsWith(" ");
        }
        checkout.with("REMUS_JAVA_OPTS", null);
        assertThat(checkout.remus("intset").out()).startsWith(" ").doesNotContain("MaxNewSize");
    }
}
