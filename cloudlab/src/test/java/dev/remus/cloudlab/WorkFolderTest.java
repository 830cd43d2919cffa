package dev.remus.cloudlab;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The folder for the files of one command. */
@Tag("processes")
@Tag("scripts")
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class WorkFolderTest {
    @TempDir
    private Path folder;

    @Test
    void aSignalThatComesWhileTheFolderIsMadeLeavesNone() throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        Path programs = Files.createDirectory(folder.resolve("bin"));
        Path slow = Files.writeString(
                programs.resolve("mktemp"),
                String.join(
                        "\n",
                        "#!/bin/sh",
                        "folder=$(PATH=${PATH#*:} command mktemp \"$@\")",
                        "echo made >&2",
                        "sleep 1",
                        "echo \"$folder\"",
                        ""));
        Files.setPosixFilePermissions(slow, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path cluster = Files.write(
                folder.resolve("cluster.sh"),
                List.of("node_type=xl170", "machines=(hp001 hp002)", "user=me", "results=" + folder + "/none"));
        Path experiment =
                Files.write(folder.resolve("small.sh"), List.of("exefile=intset", "experiment_args='--key-ub 16'"));

        Shell.Running running = Shell.start(
                Map.of("TMPDIR", temporary.toString(), "PATH", programs + ":" + System.getenv("PATH")),
                List.of(Shell.CL.toString(), cluster.toString(), "plan", experiment.toString()));
        running.awaitText("made");
        running.process().destroy();

        assertThat(running.await().status()).isEqualTo(143);
        try (Stream<Path> left = Files.list(temporary)) {
            assertThat(left).isEmpty();
        }
    }
}
