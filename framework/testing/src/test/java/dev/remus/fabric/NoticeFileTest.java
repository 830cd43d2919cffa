// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@EnabledOnOs(OS.LINUX)
@ResourceLock(value = Resources.SYSTEM_PROPERTIES, mode = ResourceAccessMode.READ)
class NoticeFileTest {
    /** The folder is that of all tests of this process, so the cluster has a name of its own. */
    private static final String CLUSTER = "notices." + ProcessHandle.current().pid();

    private final NoticeFile memory = new NoticeFile("test", CLUSTER, true, 0);
    private final NoticeFile compute = new NoticeFile("test", CLUSTER, false, 1);

    @AfterEach
    void close() {
        memory.close();
        compute.close();
    }

    private static List<Notices.Found> found() throws IOException {
        return Notices.all().stream()
                .filter(notice -> notice.cluster().equals(CLUSTER))
                .toList();
    }

    @Test
    void theLastTextOfANodeIsReadWithItsProcessUntilItLeaves() throws IOException {
        compute.put("a=1\n");
        memory.put("segment.0=1 2\n");
        compute.put("a=2\nb=x y\n");
        assertThat(found()).hasSize(2).anySatisfy(notice -> {
            assertThat(notice.isMemoryNode()).isTrue();
            assertThat(notice.notice()).containsEntry("segment.0", "1 2");
        });
        assertThat(found()).anySatisfy(notice -> {
            assertThat(notice.fabric()).isEqualTo("test");
            assertThat(notice.node()).isEqualTo(1);
            assertThat(notice.isMemoryNode()).isFalse();
            assertThat(notice.pid())
                    .isEqualTo(Long.toString(ProcessHandle.current().pid()));
            assertThat(notice.isAlive()).isTrue();
            assertThat(notice.isStopped()).isFalse();
            assertThat(notice.notice()).containsEntry("a", "2").containsEntry("b", "x y");
        });
        compute.close();
        compute.put("a=3\n");
        assertThat(found()).hasSize(1);
    }

    @Test
    void theTextOfANodeThatHasGivenUpStaysAsLongAsAnotherNodeOfItsClusterLives() throws IOException {
        memory.put("segment.0=1 2\n");
        compute.put("failed=a test\n");
        compute.abandon();
        assertThat(found()).anySatisfy(notice -> {
            assertThat(notice.isAlive()).isFalse();
            assertThat(notice.notice()).containsEntry("failed", "a test");
        });
        memory.close();
        assertThat(found()).isEmpty();
    }

    @Test
    void theTextOfAnotherProcessThatHasDiedDoesNotCountAsAlive() throws IOException {
        memory.put("segment.0=1 2\n");
        Path file = Notices.path("test", CLUSTER, false, 2);
        Files.writeString(file, "pid=" + ProcessHandle.current().pid() + "\nstart=1\nx=y\n");
        assertThat(found()).anySatisfy(notice -> {
            assertThat(notice.node()).isEqualTo(2);
            assertThat(notice.isAlive()).isFalse();
        });
        memory.close();
        assertThat(file).doesNotExist();
    }

    @Test
    void otherEntriesOfTheFolderAreNeitherReadNorRemoved() throws IOException {
        memory.put("a=1\n");
        Path other = Notices.path("test", CLUSTER, false, 2).resolveSibling("other-" + CLUSTER);
        Path folder = Files.createDirectory(Notices.path("test", CLUSTER, false, 3));
        Path damaged = Notices.path("test", CLUSTER, false, 4);
        try {
            Files.writeString(other, "of a user");
            Files.writeString(damaged, "pid=\\u12");
            assertThat(found()).hasSize(1);
            memory.close();
            assertThat(other).exists();
            assertThat(folder).exists();
        } finally {
            Files.deleteIfExists(other);
            Files.deleteIfExists(folder);
            Files.deleteIfExists(damaged);
        }
    }

    @Test
    void aFolderThatOtherUsersCanEnterIsNotUsed() throws IOException {
        memory.put("a=1\n");
        Path folder = Notices.path("test", CLUSTER, true, 0).getParent();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        try {
            assertThatThrownBy(() -> memory.put("a=2\n")).isInstanceOf(UncheckedIOException.class);
            assertThat(found()).isEmpty();
        } finally {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        }
    }
}
