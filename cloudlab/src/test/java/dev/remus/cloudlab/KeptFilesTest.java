// SPDX-License-Identifier: Apache-2.0
package dev.remus.cloudlab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The launcher removes only what was built. */
@Tag("processes")
@Tag("any-jdk")
@Timeout(60)
class KeptFilesTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void copyLauncher() throws IOException {
        Shell.copyLauncher(folder);
    }

    private Path file(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "");
    }

    private void remus(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(folder.resolve("remus").toString()));
        command.addAll(List.of(arguments));
        String path = folder.resolve("bin") + ":" + System.getenv("PATH");
        Shell.Ended ended = Shell.start(Map.of("JAVA_HOME", System.getProperty("java.home"), "PATH", path), command)
                .await();
        assertThat(ended.status()).as(ended.output()).isZero();
    }

    @Test
    void cleanKeepsFoldersThatNoBuildHasMade() throws Exception {
        Path built = file("framework/core/target/classes/A.class");
        Path kept = file("local/target/notes");
        remus("clean");
        assertThat(built).doesNotExist();
        assertThat(kept).exists();
    }

    @Test
    void runKeepsWhatIsNotOfAnEndedProcess() throws Exception {
        long ended = 4_194_305; // no process has an id as large as this
        Path old = file("target/run/" + ended + "/A.class");
        Path running = file("target/run/" + ProcessHandle.current().pid() + "/A.class");
        Path kept = file("target/run/notes/A.class");
        remus("run", program());
        assertThat(old).doesNotExist();
        assertThat(running).exists();
        assertThat(kept).exists();
    }

    /** As where another user has left them. */
    @Test
    void runDoesWithoutRemovingWhatCannotBeRemoved() throws Exception {
        Path old = file("target/run/4194305/A.class");
        Path rm = file("bin/rm");
        Files.writeString(rm, "#!/bin/sh\ncase \"$*\" in */4194305) exit 1 ;; esac\nPATH=${PATH#*:} exec rm \"$@\"\n");
        assertThat(rm.toFile().setExecutable(true)).isTrue();
        remus("run", program());
        assertThat(old).exists();
    }

    private String program() throws IOException {
        Path program = file("A.java");
        Files.writeString(program, "class A { public static void main(String[] args) {} }\n");
        Path jar = file("examples/launcher/target/remus-launcher-0.2.0.jar");
        try (OutputStream out = Files.newOutputStream(jar)) {
            new JarOutputStream(out, new Manifest()).close();
        }
        return program.toString();
    }
}
