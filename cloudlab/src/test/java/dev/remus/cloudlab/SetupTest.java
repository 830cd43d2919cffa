// SPDX-License-Identifier: Apache-2.0
package dev.remus.cloudlab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** How a machine that updates itself is set up. The script's locks are replaced by one that this test holds. */
@Tag("processes")
@Tag("any-jdk")
@EnabledOnOs(OS.LINUX)
@Timeout(180)
class SetupTest {
    @TempDir
    private Path folder;

    private Path lock;

    @BeforeEach
    void makeLock() throws Exception {
        lock = Files.createFile(folder.resolve("lock"));
    }

    private static void makeProgram(Path file, String command) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + command + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private Shell.Running setUp(int limit) throws IOException {
        String script = Shell.read(Shell.CLOUDLAB.resolve("remote/setup"));
        String changed = script.replaceFirst("(?m)^readonly locks=.*$", "readonly locks='" + lock + "'")
                .replaceFirst("(?m)^readonly lock_limit=600 .*$", "readonly lock_limit=" + limit);
        assertThat(changed).contains("lock_limit=" + limit, lock.toString());
        Path bin = Files.createDirectories(folder.resolve("bin"));
        makeProgram(bin.resolve("sudo"), "exec \"$@\"");
        makeProgram(bin.resolve("install"), "cat >/dev/null; echo run: install \"$@\""); // reads what it installs
        for (String program : List.of("apt-get", "modprobe", "ibv_devinfo")) {
            makeProgram(bin.resolve(program), "echo run: " + program + " \"$@\"");
        }
        return Shell.start(
                Map.of("PATH", bin + ":" + System.getenv("PATH")),
                List.of(
                        "bash",
                        Files.writeString(folder.resolve("setup"), changed).toString()));
    }

    @Test
    void anUpdateOfTheMachineIsWaitedFor() throws Exception {
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE)) {
            FileLock held = channel.lock();
            try (Shell.Running running = setUp(600)) {
                running.awaitText(" (process " + ProcessHandle.current().pid() + "), which holds a lock of apt ...");
                assertThat(running.text()).contains("waiting up to ").doesNotContain("run: ");
                held.release();
                Shell.Ended ended = running.await();
                assertThat(ended.status()).as(ended.output()).isZero();
                assertThat(ended.output()).contains("apt-get -q -o DPkg::Lock::Timeout=");
            }
        }
    }

    @Test
    void anUpdateThatDoesNotEndIsNamedAfterTheTimeLimit() throws Exception {
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
                FileLock held = channel.lock();
                Shell.Running running = setUp(1)) {
            Shell.Ended ended = running.await();
            assertThat(held.isValid()).isTrue();
            assertThat(ended.status()).isEqualTo(1);
            assertThat(ended.output())
                    .contains(" (process " + ProcessHandle.current().pid() + ") still holds a lock of apt after 1 s.")
                    .doesNotContain("run: ");
        }
    }
}
