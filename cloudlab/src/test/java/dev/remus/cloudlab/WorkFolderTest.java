// SPDX-License-Identifier: Apache-2.0
package dev.remus.cloudlab;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The folder for the files of one command. */
@Tag("processes")
@Tag("any-jdk")
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class WorkFolderTest {
    @TempDir
    private Path folder;

    private Path temporary;
    private Path programs;

    @BeforeEach
    void makeFolders() throws Exception {
        temporary = Files.createDirectory(folder.resolve("tmp"));
        programs = Files.createDirectory(folder.resolve("bin"));
    }

    /** A program that takes the place of the machine's own. */
    private void program(String name, String... lines) throws Exception {
        Path file = Files.writeString(programs.resolve(name), "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Shell.Running cl(String... arguments) throws Exception {
        Path cluster = Files.write(
                folder.resolve("cluster.sh"),
                List.of("node_type=xl170", "machines=(hp001 hp002)", "user=me", "results=" + folder + "/none"));
        return Shell.start(
                Map.of("TMPDIR", temporary.toString(), "PATH", programs + ":" + System.getenv("PATH")),
                Stream.concat(Stream.of(Shell.CL.toString(), cluster.toString()), Stream.of(arguments))
                        .toList());
    }

    private void assertNothingIsLeft() throws Exception {
        try (Stream<Path> left = Files.list(temporary)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void aSignalThatComesWhileTheFolderIsMadeLeavesNone() throws Exception {
        program(
                "mktemp",
                "folder=$(PATH=${PATH#*:} command mktemp \"$@\")",
                "touch \"$(dirname \"$0\")/made\"",
                "sleep 1",
                "echo \"$folder\"");
        Path experiment =
                Files.write(folder.resolve("small.sh"), List.of("exefile=intset", "experiment_args='--key-ub 16'"));

        Shell.Running running = cl("plan", experiment.toString());
        for (int i = 0; i < 600 && Files.notExists(programs.resolve("made")); i++) {
            Thread.sleep(50);
        }
        running.process().destroy();

        assertThat(running.await().status()).isEqualTo(143);
        assertNothingIsLeft();
    }

    @Test
    void aSignalThatComesWhileItIsInUseRemovesIt() throws Exception {
        program("ssh", "echo connected", "exec sleep 2");

        Shell.Running running = cl("install-deps");
        running.awaitText("connected");
        running.process().destroy();

        assertThat(running.await().status()).isEqualTo(143);
        assertNothingIsLeft();
    }
}
