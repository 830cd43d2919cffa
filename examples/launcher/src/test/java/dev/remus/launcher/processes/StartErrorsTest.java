// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each node reports a limit of the machine at the start, in one line, with exit status 2. */
@Tag("processes")
@Timeout(400)
@Tag("any-jdk")
class StartErrorsTest {
    private static final String[] ONE_NODE = {
        "hello",
        "--node-id=0",
        "--first-mn-id=0",
        "--last-mn-id=0",
        "--first-cn-id=0",
        "--last-cn-id=0",
        "--mn-port=18515",
        "--cn-threads=1"
    };

    @TempDir
    private Path folder;

    private interface Action {
        void run(Path mounted) throws Exception;
    }

    private static boolean command(String... words) throws Exception {
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    /** Runs an action with a memory file system of the given size. */
    private void withSmallMemory(int kilobytes, Action action) throws Exception {
        Path mount = Files.createDirectory(folder.resolve("mounted"));
        assumeThat(command("mount", "-t", "tmpfs", "-o", "size=" + kilobytes + "k", "tmpfs", mount.toString()))
                .as("the user may mount a file system, which requires root")
                .isTrue();
        try {
            action.run(mount);
        } finally {
            assertThat(command("umount", mount.toString())).isTrue();
        }
    }

    private static void assertRejected(Started started, String... messages) throws Exception {
        try (started) {
            assertThat(started.await()).as(started.err()).isEqualTo(2);
            assertThat(started.err()).contains(messages).doesNotContain("\tat ");
            assertThat(started.out()).isEmpty();
        }
    }

    private static void assertNothingIsLeft(Path shm) throws IOException {
        try (Stream<Path> paths = Files.walk(shm)) {
            assertThat(paths.filter(path -> path.getNameCount() > shm.getNameCount() + 1))
                    .allMatch(path -> path.endsWith(".lock"));
        }
    }

    @Test
    void tooLittleSharedMemoryIsReportedWithTheOptionsToChange() throws Exception {
        withSmallMemory(1024, shm -> {
            assertRejected(Started.of(shm, "hello"), "--seg-size", "--segs-per-mn", "1048576 bytes", shm.toString());
            assertNothingIsLeft(shm);
        });
    }

    @Test
    void fullSharedMemoryIsNamed() throws Exception {
        withSmallMemory(64, shm -> {
            Path filler = shm.resolve("filler");
            command("dd", "if=/dev/zero", "of=" + filler, "bs=4k"); // ends when the file system is full
            assertRejected(Started.of(shm, ONE_NODE), shm.toString(), "cannot be used: No space left", "REMUS_SHM_DIR");
            Files.delete(filler);
            assertNothingIsLeft(shm);
        });
    }

    @Test
    void aFolderThatOthersCanEnterIsRejected() throws Exception {
        Path user = folder.resolve("remus-" + System.getProperty("user.name").replaceAll("[^A-Za-z0-9._-]", "_"));
        Files.createDirectory(user, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        assertRejected(Started.of(folder, ONE_NODE), user.toString(), "is open to other users: chmod 700");
    }

    @Test
    void aMissingFolderForSharedMemoryIsNamed() throws Exception {
        Path missing = folder.resolve("missing");
        assertRejected(Started.of(missing, ONE_NODE), missing.toString(), "REMUS_SHM_DIR");
        Path file = Files.createFile(folder.resolve("file"));
        assertRejected(Started.of(file, ONE_NODE), file.toString(), "REMUS_SHM_DIR");
    }

    @Test
    void anUnwritableFolderForResultsIsNamed() throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        Path file = Files.createFile(folder.resolve("file"));
        assertRejected(Started.of(shm, "intset", "--out", file.toString()), "--out: got '" + file + "'");
        assertNothingIsLeft(shm);
    }

    @Test
    void aSecondNodeOfTheSameNameAndIdIsRejectedAndTheFirstContinues() throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        String[] all = Arrays.copyOf(ONE_NODE, ONE_NODE.length + 1);
        all[3] = "--last-mn-id=1"; // which never starts
        all[5] = "--last-cn-id=1";
        all[ONE_NODE.length] = "--connect-timeout=600"; // longer than a slow machine delays this test
        try (Started first = Started.of(shm, all)) {
            Path file = shm.resolve(
                    "remus-" + System.getProperty("user.name").replaceAll("[^A-Za-z0-9._-]", "_") + "/remus/compute-0");
            while (!Files.exists(file)) {
                assertThat(first.isAlive()).as(first.err()).isTrue();
                Thread.sleep(10);
            }
            assertRejected(Started.of(shm, all), "cluster 'remus' is already running (process " + first.pid() + ")");
            first.signal("TERM");
            assertThat(first.await()).as(first.err()).isEqualTo(143);
        }
        assertNothingIsLeft(shm);
    }

    /** The fabric shm locks no memory: its segments are files, and their file system limits their size. */
    @Test
    void aLimitOnLockedMemoryDoesNotMatter() throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        try (Started started = Started.after("ulimit -l 0", shm, ONE_NODE)) {
            assertThat(started.await()).as(started.err()).isZero();
        }
        assertNothingIsLeft(shm);
    }
}
