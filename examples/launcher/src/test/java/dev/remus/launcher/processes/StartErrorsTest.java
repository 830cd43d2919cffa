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

/** A program reports what a machine cannot do at the start, in one line for each node, with exit status 2. */
@Tag("processes")
@Timeout(180)
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

    /** With a file system in memory that is as small as that. */
    private void withSmallMemory(int kilobytes, Action action) throws Exception {
        Path mount = Files.createDirectory(folder.resolve("mounted"));
        assumeThat(command("mount", "-t", "tmpfs", "-o", "size=" + kilobytes + "k", "tmpfs", mount.toString()))
                .as("whoever runs the tests may mount a file system, which takes root")
                .isTrue();
        try {
            action.run(mount);
        } finally {
            assertThat(command("umount", mount.toString())).isTrue();
        }
    }

    private static void assertRefused(Started started, String... messages) throws Exception {
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
    void tooLittleSharedMemoryIsSaidWithTheOptionsToChange() throws Exception {
        withSmallMemory(1024, shm -> {
            assertRefused(Started.of(shm, "hello"), "--seg-size", "--segs-per-mn", "1048576 bytes", shm.toString());
            assertNothingIsLeft(shm);
        });
    }

    @Test
    void sharedMemoryInWhichNotAByteIsFreeIsNamed() throws Exception {
        withSmallMemory(64, shm -> {
            Path filler = shm.resolve("filler");
            command("dd", "if=/dev/zero", "of=" + filler, "bs=4k"); // ends when there is no room
            assertRefused(Started.of(shm, ONE_NODE), shm.toString(), "cannot be used: No space left", "REMUS_SHM_DIR");
            Files.delete(filler);
            assertNothingIsLeft(shm);
        });
    }

    @Test
    void aFolderThatOthersCanEnterIsRefused() throws Exception {
        Path user = folder.resolve("remus-" + System.getProperty("user.name").replaceAll("[^A-Za-z0-9._-]", "_"));
        Files.createDirectory(user, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        assertRefused(Started.of(folder, ONE_NODE), user.toString(), "nobody else can enter");
    }

    @Test
    void aFolderForSharedMemoryThatIsNotThereIsNamed() throws Exception {
        Path missing = folder.resolve("missing");
        assertRefused(Started.of(missing, ONE_NODE), missing.toString(), "REMUS_SHM_DIR");
        Path file = Files.createFile(folder.resolve("file"));
        assertRefused(Started.of(file, ONE_NODE), file.toString(), "REMUS_SHM_DIR");
    }

    @Test
    void aFolderForResultsThatCannotBeWrittenIsNamed() throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        Path file = Files.createFile(folder.resolve("file"));
        assertRefused(Started.of(shm, "intset", "--out", file.toString()), "--out: got '" + file + "'");
        assertNothingIsLeft(shm);
    }

    @Test
    void aSecondNodeOfTheSameNameAndIdIsRefusedAndTheFirstGoesOn() throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        String[] all = Arrays.copyOf(ONE_NODE, ONE_NODE.length + 1);
        all[3] = "--last-mn-id=1"; // which never comes
        all[5] = "--last-cn-id=1";
        all[ONE_NODE.length] = "--connect-timeout=600"; // longer than a machine can hold this test up
        try (Started first = Started.of(shm, all)) {
            Path file = shm.resolve(
                    "remus-" + System.getProperty("user.name").replaceAll("[^A-Za-z0-9._-]", "_") + "/remus/compute-0");
            while (!Files.exists(file)) {
                assertThat(first.isAlive()).as(first.err()).isTrue();
                Thread.sleep(10);
            }
            assertRefused(Started.of(shm, all), "cluster 'remus' is already running (process " + first.pid() + ")");
            first.signal("TERM");
            assertThat(first.await()).as(first.err()).isEqualTo(143);
        }
        assertNothingIsLeft(shm);
    }

    /** The fabric shm locks no memory: its segments are files, and whether they fit is asked of their file system. */
    @Test
    void aLimitOnLockedMemoryDoesNotMatter() throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        try (Started started = Started.after("ulimit -l 0", shm, ONE_NODE)) {
            assertThat(started.await()).as(started.err()).isZero();
        }
        assertNothingIsLeft(shm);
    }
}
